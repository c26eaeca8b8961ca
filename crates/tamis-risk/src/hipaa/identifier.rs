//! The eighteen identifiers and what the rule wants done with each.

/// One of the identifiers of 45 CFR 164.514(b)(2)(i), in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "`meaning` says what each is")]
pub enum Identifier {
    Name,
    Geography,
    Date,
    Phone,
    Fax,
    Email,
    SocialSecurity,
    MedicalRecord,
    HealthPlan,
    Account,
    Licence,
    Vehicle,
    Device,
    Url,
    IpAddress,
    Biometric,
    Photo,
    OtherUnique,
}

impl Identifier {
    /// All eighteen in the order of the rule.
    pub const ALL: [Self; 18] = [
        Self::Name,
        Self::Geography,
        Self::Date,
        Self::Phone,
        Self::Fax,
        Self::Email,
        Self::SocialSecurity,
        Self::MedicalRecord,
        Self::HealthPlan,
        Self::Account,
        Self::Licence,
        Self::Vehicle,
        Self::Device,
        Self::Url,
        Self::IpAddress,
        Self::Biometric,
        Self::Photo,
        Self::OtherUnique,
    ];

    /// The letter it has in the rule, `A` to `R`.
    pub fn letter(self) -> char {
        let position = Self::ALL.iter().position(|&other| other == self).unwrap_or(0);
        char::from(b'A' + position as u8)
    }

    /// What it is.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Geography => "place smaller than a state",
            Self::Date => "date more specific than a year, or an age over 89",
            Self::Phone => "telephone number",
            Self::Fax => "fax number",
            Self::Email => "e-mail address",
            Self::SocialSecurity => "social security or national number",
            Self::MedicalRecord => "medical record number",
            Self::HealthPlan => "health plan number",
            Self::Account => "account or card number",
            Self::Licence => "certificate or licence number",
            Self::Vehicle => "vehicle identifier or plate",
            Self::Device => "device identifier or serial number",
            Self::Url => "web address",
            Self::IpAddress => "internet address",
            Self::Biometric => "biometric identifier",
            Self::Photo => "photograph of the face",
            Self::OtherUnique => "other unique number or code",
        }
    }

    /// What to do with it.
    pub fn remedy(self) -> &'static str {
        match self {
            Self::Geography => "keep the state, and of a ZIP code three digits if 20,000 people live there, else 000",
            Self::Date => "keep the year only, and put ages over 89 into one group 90 or older",
            Self::SocialSecurity | Self::MedicalRecord | Self::HealthPlan | Self::OtherUnique => {
                "leave the column out, or replace it by a pseudonym that is not derived from it"
            }
            _ => "leave the column out",
        }
    }
}
