//! What the name of a column says, in the languages of the house: English, Spanish, Polish, German and French.

use super::Identifier;

/// Words that give an identifier away. Several words in one entry must all occur, in any order; `=` wants the name to be that word alone.
const WORDS: [(Identifier, &str); 18] = [
    (
        Identifier::Name,
        "name names firstname lastname surname fullname forename username nickname maiden initials patient+name \
         nombre nombres apellido apellidos iniciales \
         imie imiona nazwisko nazwiska inicjaly \
         vorname vornamen nachname nachnamen familienname familiennamen geburtsname rufname \
         nom noms prenom prenoms initiales",
    ),
    (
        Identifier::Geography,
        "address addresses street city town county zip zipcode postcode postal+code district precinct neighbourhood neighborhood \
         latitude longitude geocode parish \
         direccion domicilio calle ciudad comuna barrio municipio codigo+postal latitud longitud \
         adres adresy ulica miasto gmina powiat kod+pocztowy \
         adresse anschrift wohnort wohnadresse strasse hausnummer stadt gemeinde landkreis plz postleitzahl \
         adresses rue ville commune code+postal arrondissement quartier",
    ),
    (
        Identifier::Date,
        "date dob birth birthday birthdate born admission discharge death died \
         fecha nacimiento ingreso+fecha egreso alta+fecha defuncion \
         urodzenia urodzony przyjecia wypisu zgonu \
         datum geburtsdatum geburtstag geburt aufnahmedatum entlassungsdatum sterbedatum todesdatum \
         naissance deces",
    ),
    (
        Identifier::Phone,
        "phone phones telephone tel mobile cellphone =cell cell+phone cell+number \
         telefono celular movil fono \
         telefon telefonu komorka komorkowy \
         handy mobil mobiltelefon rufnummer handynummer telefonnummer festnetz \
         portable+numero telephone+portable",
    ),
    (Identifier::Fax, "fax facsimile telefax faks telecopie telecopieur"),
    (
        Identifier::Email,
        "email emails mail e+mail mailaddress emailaddress correo correo+electronico poczta mejl mailadresse courriel mel",
    ),
    (
        Identifier::SocialSecurity,
        "ssn nss social+security seguridad+social national+id passport \
         run rut dni nif curp cedula pasaporte \
         pesel nip dowod dowodu paszport paszportu \
         sozialversicherung sozialversicherungsnummer svnr steuernummer steuerid ausweis personalausweis ausweisnummer reisepass \
         nir securite+sociale passeport cni",
    ),
    (
        Identifier::MedicalRecord,
        "mrn medical+record record+number chart+number patient+id patient+number patientid \
         historia+clinica ficha+clinica paciente+id id+paciente codigo+paciente expediente nhc \
         numer+kartoteki id+pacjenta kod+pacjenta numer+pacjenta nr+pacjenta historia+choroby \
         patientennummer patientenid patienten+id patienten+nr fallnummer krankenakte \
         ipp dossier+medical numero+dossier numero+patient",
    ),
    (
        Identifier::HealthPlan,
        "health+plan insurance+number insurance+id beneficiary member+id subscriber policy+number \
         poliza prevision+numero isapre fonasa+numero numero+seguro \
         ubezpieczenia polisa \
         versichertennummer versicherungsnummer versicherten+nr kvnr \
         mutuelle numero+assure numero+assurance",
    ),
    (
        Identifier::Account,
        "account accounts iban bic card credit+card bank \
         cuenta tarjeta \
         konto konta rachunek karta \
         kontonummer bankverbindung kreditkarte \
         compte rib carte+bancaire carte+credit banque",
    ),
    (
        Identifier::Licence,
        "licence license certificate licencia certificado matricula+profesional prawo+jazdy licencja certyfikat \
         fuhrerschein fuehrerschein lizenz zertifikat permis certificat",
    ),
    (
        Identifier::Vehicle,
        "vehicle vin plate licence+plate vehiculo patente placa rejestracja rejestracyjny pojazd \
         fahrzeug kennzeichen fahrgestellnummer nummernschild vehicule immatriculation",
    ),
    (
        Identifier::Device,
        "device serial imei mac dispositivo serie urzadzenie seryjny gerat geraet geratenummer seriennummer appareil dispositif",
    ),
    (Identifier::Url, "url website web homepage sitio+web strona webseite internetseite site+web site+internet"),
    (Identifier::IpAddress, "ip ipaddress ipv4 ipv6"),
    (
        Identifier::Biometric,
        "fingerprint fingerprints voiceprint retina iris biometric dna genome huella huellas voz biometrico odcisk biometria \
         fingerabdruck biometrie biometrisch empreinte empreintes biometrique",
    ),
    (
        Identifier::Photo,
        "photo photos photograph picture portrait image foto fotografia imagen zdjecie lichtbild bild photographie",
    ),
    (
        Identifier::OtherUnique,
        "id ids ident uuid guid identifier identificador identyfikator code+patient kennung identifikator identifiant matricule",
    ),
];

/// Places that are one house or little more: nothing of them is kept.
const ADDRESS: &str = "address addresses street direccion domicilio calle adres adresy ulica adresse adresses anschrift wohnadresse \
    strasse hausnummer rue";

/// Words for what nobody should learn about a person.
const SENSITIVE: &str = "disease diagnosis diagnose illness condition problem symptom treatment medication drug hiv test result salary \
    wage income earnings occupation religion party vote crime offence cause icd cost costs charge charges diagnostic therapy stay los \
    outcome allergy addiction disability \
    problema enfermedad sueldo sueldos salario ingreso ingresos coste costo diagnostico tratamiento medicamento alergia discapacidad \
    choroba diagnoza rozpoznanie zarobki leczenie alergia wyznanie \
    krankheit gehalt einkommen befund behandlung medikament allergie konfession \
    maladie traitement medicament salaire revenu revenus allergie";

/// Words for what describes a person and is known to others, however many different values it has.
const QUASI_IDENTIFYING: &str = "age birth birthday dob born sex gender race ethnicity country city region county state marital education \
    workclass zip zipcode postal postcode \
    edad nacimiento sexo etnia pais ciudad \
    wiek urodzenia plec kraj miasto wojewodztwo \
    alter geschlecht geburtsdatum plz land bundesland familienstand \
    sexe pays naissance ville";

/// Words for what somebody typed in as they liked.
const COMMENT: &str = "comment comments commentary note notes remark remarks freetext free+text annotation annotations \
    comentario comentarios nota notas observacion observaciones anotacion anotaciones texto+libre \
    uwaga uwagi komentarz komentarze notatka notatki adnotacja adnotacje \
    bemerkung bemerkungen anmerkung anmerkungen kommentar kommentare notiz notizen freitext \
    commentaire commentaires remarque remarques observation observations texte+libre";

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
    let has = |entry: &str| match entry.strip_prefix('=') {
        Some(word) => words.len() == 1 && is_said(&words, word),
        None => is_said(&words, entry),
    };
    let mut found: Vec<(Identifier, String)> = WORDS
        .into_iter()
        .filter_map(|(identifier, entries)| {
            let entry = entries.split_whitespace().find(|entry| entry.split('+').all(has))?;
            Some((identifier, entry.replace('+', " ").replace('=', "")))
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
    says(name, "age edad wiek alter")
}

/// Whether a column's name says that it holds addresses of houses.
pub(super) fn is_address(name: &str) -> bool {
    says(name, ADDRESS)
}

/// Whether a column's name says that it holds comments.
pub(super) fn is_comment(name: &str) -> bool {
    says(name, COMMENT)
}

/// Whether a column's name says that it holds what nobody should learn about a person.
pub fn is_sensitive(name: &str) -> bool {
    says(name, SENSITIVE)
}

/// Whether a column's name says that it describes a person by what is known to others.
pub fn is_quasi_identifying(name: &str) -> bool {
    says(name, QUASI_IDENTIFYING)
}

/// Whether one of the words of a name is in a list.
pub fn says(name: &str, list: &str) -> bool {
    let words = words(name);
    list.split_whitespace().any(|entry| entry.split('+').all(|listed| is_said(&words, listed)))
}

/// Whether a word occurs, numbered or not: `icd10` and `address2` are numbered words.
fn is_said(words: &[String], listed: &str) -> bool {
    words.iter().any(|word| word == listed || word.trim_end_matches(|c: char| c.is_ascii_digit()) == listed)
}

/// The words of a name in small letters without accents: `Patient_ID` and `patientId` are `patient` and `id`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    // An accent may be a character of its own.
    for character in name.chars().filter(|character| !('\u{300}'..='\u{36f}').contains(character)) {
        if !character.is_alphanumeric() || (character.is_uppercase() && was_small) {
            words.push(String::new());
        }
        was_small = character.is_lowercase() || character.is_ascii_digit();
        if character.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            character.to_lowercase().for_each(|letter| word.push_str(&plain(letter)));
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The letter under an accent.
fn plain(letter: char) -> String {
    const FOLDED: [(&str, &str); 13] = [
        ("áàâäãåą", "a"),
        ("çć", "c"),
        ("éèêëę", "e"),
        ("íìîï", "i"),
        ("ł", "l"),
        ("ñń", "n"),
        ("óòôöõ", "o"),
        ("ś", "s"),
        ("ß", "ss"),
        ("úùûü", "u"),
        ("źż", "z"),
        ("œ", "oe"),
        ("æ", "ae"),
    ];
    let folded = FOLDED.iter().find(|(accented, _)| accented.contains(letter));
    folded.map_or_else(|| letter.to_string(), |&(_, plain)| plain.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_identifier_is_known_in_every_language_that_has_a_word_for_it() {
        for (identifier, names) in [
            (Identifier::Name, ["patient name", "Apellidos", "Imię"]),
            (Identifier::Name, ["Nachname", "prénom", "pre\u{301}nom"]),
            (Identifier::Geography, ["Straße", "address2", "code postal"]),
            (Identifier::Phone, ["tel", "Handy", "cell"]),
            (Identifier::Account, ["Kontonummer", "compte", "bank account"]),
            (Identifier::Licence, ["Führerschein", "permis", "licence_no"]),
            (Identifier::OtherUnique, ["Kennung", "identifiant", "UUID"]),
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
        for name in [
            "sex",
            "age",
            "diagnosis",
            "salary-class",
            "native-country",
            "education",
            "runtime",
            "updated",
            "wiek",
            "cell_count",
        ] {
            assert!(matches(name).is_empty(), "{name}: {:?}", matches(name));
        }
    }
}
