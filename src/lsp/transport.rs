//! Messages on standard input and output.
//!
//! The reader outlives messages that cannot be understood, which is why it is not that of `lsp-server`: that one ends at the first.

use std::io::{self, BufRead, Read, Write};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use lsp_server::Message;

/// No text of a program is longer; what claims to be is no message.
const LONGEST: usize = 256 << 20;

/// What comes from the editor.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// A message.
    Message(Message),
    /// Bytes that are none, and why.
    Garbage(String),
}

/// Starts reading standard input. The channel ends with the input.
pub(crate) fn read_stdin() -> Receiver<Incoming> {
    let (sender, receiver) = bounded(64);
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Some(incoming) = read(&mut input).transpose() {
            let Ok(incoming) = incoming else { break };
            if sender.send(incoming).is_err() {
                break;
            }
        }
    });
    receiver
}

/// Starts writing to standard output. What is sent is written before the thread can be joined, once the sender is gone.
pub(crate) fn write_stdout() -> (Sender<Message>, thread::JoinHandle<()>) {
    let (sender, receiver) = unbounded::<Message>();
    let writer = thread::spawn(move || {
        let mut output = io::stdout().lock();
        for message in receiver {
            // Nobody listens any more: the end of the input will tell the server so.
            if message.write(&mut output).and_then(|()| output.flush()).is_err() {
                break;
            }
        }
    });
    (sender, writer)
}

/// The next message, or what stands in its place; `None` at the end of the input.
pub(crate) fn read(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        // No header of the protocol is nearly as long as this.
        if input.by_ref().take(4096).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_ascii();
        if line.is_empty() {
            match length.take() {
                Some(length) => return body(input, length),
                // Blank lines between messages harm nobody.
                None => continue,
            }
        }
        let text = String::from_utf8_lossy(line);
        let (name, value) = text.split_once(':').unwrap_or((&text, ""));
        if name.eq_ignore_ascii_case("Content-Length") {
            match value.trim().parse() {
                Ok(number) if number <= LONGEST => length = Some(number),
                _ => return Ok(Some(Incoming::Garbage(format!("a message of `{}` bytes", value.trim())))),
            }
        } else if !name.eq_ignore_ascii_case("Content-Type") {
            return Ok(Some(Incoming::Garbage("a line that is no header of a message".to_owned())));
        }
    }
}

fn body(input: &mut impl BufRead, length: usize) -> io::Result<Option<Incoming>> {
    let mut bytes = Vec::new();
    if input.by_ref().take(length as u64).read_to_end(&mut bytes)? < length {
        return Ok(None);
    }
    Ok(Some(match serde_json::from_slice(&bytes) {
        Ok(message) => Incoming::Message(message),
        Err(error) => Incoming::Garbage(format!("a message that is not JSON-RPC: {error}")),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut input: &[u8]) -> Vec<Incoming> {
        std::iter::from_fn(|| read(&mut input).expect("memory can be read")).collect()
    }

    #[test]
    fn a_message_after_garbage_is_read() {
        let message = r#"{"jsonrpc":"2.0","method":"exit"}"#;
        let framed = format!("Content-Length: {}\r\n\r\n{message}", message.len());
        for garbage in [
            "Content-Length: 3\r\n\r\n{]}",
            "Content-Length: -1\r\n\r\n",
            "hello\n",
            "Content-Length: 99999999999999\r\n\r\n",
        ] {
            let read = all(format!("{garbage}{framed}").as_bytes());
            assert!(matches!(&read[0], Incoming::Garbage(_)), "{garbage:?}: {read:?}");
            let last = read.last().expect("there is something");
            assert!(
                matches!(last, Incoming::Message(Message::Notification(n)) if n.method == "exit"),
                "{read:?}"
            );
        }
        assert!(all(b"Content-Length: 10\r\n\r\n{").is_empty(), "the input ends in the middle");
    }
}
