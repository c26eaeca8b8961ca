//! Identifiers by the name of their column, in English, Spanish and Polish.

use super::Identifier;

/// Words that give an identifier away. Several words in one entry must all occur, in any order.
const WORDS: [(Identifier, &str); 18] = [
    (
        Identifier::Name,
        "name names firstname lastname surname fullname forename maiden nombre nombres apellido apellidos imie imiona nazwisko \
         patient+name initials iniciales inicjaly",
    ),
    (
        Identifier::Geography,
        "address street city town county zip zipcode postcode postal+code district precinct neighbourhood neighborhood direccion domicilio \
         calle ciudad comuna barrio municipio codigo+postal adres ulica miasto gmina powiat kod+pocztowy latitude longitude latitud \
         longitud geocode parish",
    ),
    (
        Identifier::Date,
        "date dob birth birthday birthdate born admission discharge death died fecha nacimiento ingreso+fecha egreso alta+fecha defuncion \
         urodzenia urodzony przyjecia wypisu zgonu",
    ),
    (
        Identifier::Phone,
        "phone telephone tel mobile cell cellphone telefono celular movil fono telefon komorka komorkowy",
    ),
    (Identifier::Fax, "fax facsimile telefax faks"),
    (Identifier::Email, "email mail e+mail correo correo+electronico poczta mejl"),
    (
        Identifier::SocialSecurity,
        "ssn social+security run rut dni nif curp cedula pesel nip dowod national+id passport pasaporte paszport",
    ),
    (
        Identifier::MedicalRecord,
        "mrn medical+record record+number chart+number patient+id patient+number historia+clinica ficha+clinica paciente+id id+paciente \
         numer+kartoteki id+pacjenta historia+choroby",
    ),
    (
        Identifier::HealthPlan,
        "health+plan insurance+number beneficiary member+id subscriber policy+number poliza prevision+numero isapre fonasa+numero \
         ubezpieczenia polisa",
    ),
    (Identifier::Account, "account iban card credit+card bank cuenta tarjeta konto rachunek karta"),
    (
        Identifier::Licence,
        "licence license certificate licencia certificado matricula+profesional prawo+jazdy licencja certyfikat",
    ),
    (Identifier::Vehicle, "vehicle vin plate licence+plate vehiculo patente placa rejestracja rejestracyjny pojazd"),
    (Identifier::Device, "device serial imei mac dispositivo serie urzadzenie seryjny"),
    (Identifier::Url, "url website web homepage sitio+web strona"),
    (Identifier::IpAddress, "ip ipaddress ipv4 ipv6"),
    (
        Identifier::Biometric,
        "fingerprint voiceprint retina iris biometric dna genome huella huellas voz biometrico odcisk biometria",
    ),
    (Identifier::Photo, "photo photograph picture portrait image foto fotografia imagen zdjecie"),
    (Identifier::OtherUnique, "id uuid guid identifier identificador identyfikator code+patient"),
];

/// What a column's name says, each with the words that say so. `dateOfBirth`, `date_of_birth` and `Date of birth` are one name;
/// accents do not count.
///
/// ```
/// use tamis_risk::hipaa::{Identifier, names::matches};
/// assert_eq!(matches("FechaNacimiento")[0].0, Identifier::Date);
/// assert_eq!(matches("kod_pocztowy"), [(Identifier::Geography, "kod pocztowy".to_owned())]);
/// assert_eq!(matches("IP address")[0].0, Identifier::IpAddress);
/// assert!(matches("diagnosis").is_empty());
/// ```
pub fn matches(name: &str) -> Vec<(Identifier, String)> {
    let words = words(name);
    let has = |word: &str| words.iter().any(|found| found == word);
    let mut found: Vec<(Identifier, String)> = WORDS
        .into_iter()
        .filter_map(|(identifier, entries)| {
            let entry = entries.split_whitespace().find(|entry| entry.split('+').all(has))?;
            Some((identifier, entry.replace('+', " ")))
        })
        .collect();
    // A word that is part of a better match says nothing of its own: an IP address is no street address, a mail address no place.
    let is_electronic = |identifier: Identifier| {
        matches!(identifier, Identifier::IpAddress | Identifier::Email | Identifier::Url | Identifier::Device)
    };
    if found.iter().any(|&(identifier, _)| is_electronic(identifier)) {
        found.retain(|&(identifier, _)| identifier != Identifier::Geography);
    }
    if found.len() > 1 {
        found.retain(|&(identifier, _)| identifier != Identifier::OtherUnique);
    }
    if found.iter().any(|&(identifier, _)| identifier == Identifier::Vehicle) {
        found.retain(|&(identifier, _)| identifier != Identifier::Licence);
    }
    found
}

/// Whether a column's name says that it holds ages.
pub(super) fn is_age(name: &str) -> bool {
    words(name).iter().any(|word| matches!(word.as_str(), "age" | "edad" | "wiek"))
}

/// The words of a name in small letters without accents.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for character in name.chars() {
        if !character.is_alphanumeric() || (character.is_uppercase() && was_small) {
            words.push(String::new());
        }
        was_small = character.is_lowercase() || character.is_ascii_digit();
        if character.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(character.to_lowercase().map(plain));
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The letter under an accent of Spanish or Polish.
fn plain(letter: char) -> char {
    match letter {
        'á' | 'ą' => 'a',
        'ć' => 'c',
        'é' | 'ę' => 'e',
        'í' => 'i',
        'ł' => 'l',
        'ñ' | 'ń' => 'n',
        'ó' => 'o',
        'ś' => 's',
        'ú' | 'ü' => 'u',
        'ź' | 'ż' => 'z',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_identifier_is_known_in_every_language_that_has_a_word_for_it() {
        for (identifier, names) in [
            (Identifier::Name, ["patient name", "Apellidos", "Imię"]),
            (Identifier::Geography, ["zip", "Código postal", "ulica"]),
            (Identifier::Date, ["DateOfBirth", "fecha_nacimiento", "data urodzenia"]),
            (Identifier::Phone, ["phone", "teléfono", "telefon"]),
            (Identifier::Fax, ["fax", "telefax", "faks"]),
            (Identifier::Email, ["e-mail", "correo", "mejl"]),
            (Identifier::SocialSecurity, ["SSN", "RUN", "PESEL"]),
            (Identifier::MedicalRecord, ["medical record no", "ficha clínica", "id pacjenta"]),
            (Identifier::HealthPlan, ["health plan", "póliza", "polisa"]),
            (Identifier::Account, ["account", "cuenta", "konto"]),
            (Identifier::Licence, ["license", "licencia", "licencja"]),
            (Identifier::Vehicle, ["license plate", "patente", "pojazd"]),
            (Identifier::Device, ["device id", "dispositivo", "urządzenie"]),
            (Identifier::Url, ["url", "sitio web", "strona"]),
            (Identifier::IpAddress, ["ip", "IP address", "ip_address"]),
            (Identifier::Biometric, ["fingerprint", "huella", "odcisk"]),
            (Identifier::Photo, ["photo", "foto", "zdjęcie"]),
            (Identifier::OtherUnique, ["id", "identificador", "identyfikator"]),
        ] {
            for name in names {
                let found: Vec<Identifier> = matches(name).into_iter().map(|(identifier, _)| identifier).collect();
                assert_eq!(found, [identifier], "{name}");
            }
        }
    }

    #[test]
    fn harmless_names_are_left_alone() {
        for name in
            ["sex", "age", "diagnosis", "salary-class", "native-country", "education", "runtime", "updated", "wiek"]
        {
            assert!(matches(name).is_empty(), "{name}: {:?}", matches(name));
        }
    }
}
