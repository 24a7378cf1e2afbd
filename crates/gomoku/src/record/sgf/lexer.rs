//! Brackets, names and values of an SGF file.

/// A piece of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `(`
    Open,
    /// `)`
    Close,
    /// `;`
    Node,
    /// The name of a property.
    Ident(&'a [u8]),
    /// What stands between brackets, escapes included.
    Value(&'a [u8]),
    /// A value without a closing bracket.
    Unclosed,
    /// Anything else.
    Unknown,
    /// The end of the file.
    End,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Lexer<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Lexer<'a> {
        Lexer { bytes, at: 0 }
    }

    /// Moves to the next bracket that opens a game; `false` if there is none.
    pub(super) fn skip_to_game(&mut self) -> bool {
        while let Some(ahead) = self.bytes[self.at..].iter().position(|&byte| byte == b'(') {
            self.at += ahead;
            let inside = &self.bytes[self.at + 1..];
            let next = inside.iter().find(|byte| !is_space(**byte));
            // At the end of the file only a bracket that stands at its beginning is a game.
            let opens = next.map_or(self.at == 0, |next| matches!(next, b';' | b'('));
            if opens {
                return true;
            }
            self.at += 1;
        }
        false
    }

    /// The next piece and where it begins.
    pub(super) fn next(&mut self) -> (usize, Token<'a>) {
        self.at += self.bytes[self.at..].iter().take_while(|byte| is_space(**byte)).count();
        let start = self.at;
        let Some(&byte) = self.bytes.get(start) else { return (start, Token::End) };
        self.at += 1;
        let token = match byte {
            b'(' => Token::Open,
            b')' => Token::Close,
            b';' => Token::Node,
            b'[' => self.value(),
            _ if byte.is_ascii_alphanumeric() => {
                let rest = &self.bytes[start..];
                let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
                self.at = start + length;
                Token::Ident(&rest[..length])
            }
            _ => Token::Unknown,
        };
        (start, token)
    }

    fn value(&mut self) -> Token<'a> {
        let start = self.at;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b']' => {
                    self.at += 1;
                    return Token::Value(&self.bytes[start..self.at - 1]);
                }
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at = self.bytes.len();
        Token::Unclosed
    }
}

/// White space and the control characters that old systems leave in and after texts.
fn is_space(byte: u8) -> bool {
    byte <= b' ' || byte == 0x7F
}
