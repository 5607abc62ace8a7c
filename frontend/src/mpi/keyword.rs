//! Enumerations whose variants are words of the data files.

/// Defines an enumeration with one data-file word per variant: `ALL`, `keyword`, `parse`, and `Display` by the word.
macro_rules! keywords {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$variant_meta])* $variant,)+ }

        impl $name {
            /// Every variant, in the order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The word that stands for it in the data files.
            pub fn keyword(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// The variant whose [`keyword`](Self::keyword) is `word`.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(self.keyword())
            }
        }
    };
}
pub(super) use keywords;
