//! What other machines have to open to reach this one, and the picture of it for a phone's camera.

use std::net::{IpAddr, Ipv4Addr, UdpSocket};

use qrcodegen::{QrCode, QrCodeEcc};

/// The addresses under which a server that listens here can be reached from elsewhere, the likeliest
/// first.
pub(crate) fn addresses(listen: IpAddr) -> Vec<IpAddr> {
    if listen.is_loopback() {
        return Vec::new();
    }
    if !listen.is_unspecified() {
        return vec![listen];
    }
    let is_reachable = |ip: &IpAddr| match ip {
        IpAddr::V4(ip) => !ip.is_loopback() && !ip.is_link_local() && !ip.is_unspecified(),
        // Link-local addresses would need a zone, which addresses of pages do not have.
        IpAddr::V6(ip) => {
            listen.is_ipv6()
                && !ip.is_loopback()
                && !ip.is_unicast_link_local()
                && !ip.is_unspecified()
        }
    };
    let mut found: Vec<IpAddr> =
        outward().into_iter().chain(interfaces()).filter(is_reachable).collect();
    let mut seen = Vec::new();
    found.retain(|ip| {
        !seen.contains(ip) && {
            seen.push(*ip);
            true
        }
    });
    found
}

/// The address that this machine would send from; nothing is sent.
fn outward() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    socket.local_addr().ok().map(|address| address.ip())
}

#[cfg(unix)]
fn interfaces() -> Vec<IpAddr> {
    let all = nix::ifaddrs::getifaddrs().into_iter().flatten();
    let addresses = all.filter_map(|interface| {
        let address = interface.address?;
        let v4 = address.as_sockaddr_in().map(|address| IpAddr::V4(address.ip()));
        v4.or_else(|| address.as_sockaddr_in6().map(|address| IpAddr::V6(address.ip())))
    });
    addresses.collect()
}

#[cfg(not(unix))]
fn interfaces() -> Vec<IpAddr> {
    Vec::new()
}

/// A QR code as text: two rows of squares in a line, dark on light whatever the terminal's colors are.
pub(crate) fn qr_code(text: &str) -> String {
    let Ok(code) = QrCode::encode_text(text, QrCodeEcc::Low) else { return String::new() };
    const MARGIN: i32 = 4;
    let range = || -MARGIN..code.size() + MARGIN;
    let mut lines = String::new();
    for y in range().step_by(2) {
        lines += "\x1b[30;107m";
        for x in range() {
            // What is outside is light.
            lines.push(match (code.get_module(x, y), code.get_module(x, y + 1)) {
                (false, false) => ' ',
                (true, false) => '▀',
                (false, true) => '▄',
                (true, true) => '█',
            });
        }
        lines += "\x1b[0m\n";
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_machines_are_given_what_they_can_reach() {
        let every: IpAddr = "0.0.0.0".parse().unwrap();
        for ip in addresses(every) {
            assert!(!ip.is_loopback() && !ip.is_unspecified() && ip.is_ipv4(), "{ip}");
        }
        let one: IpAddr = "192.168.1.5".parse().unwrap();
        assert_eq!(addresses(one), [one]);
        assert!(addresses("127.0.0.1".parse().unwrap()).is_empty());
    }

    #[test]
    fn a_code_is_square_with_its_three_corners() {
        let text = qr_code("http://192.168.1.5:7531/?token=0123456789abcdef");
        let lines: Vec<Vec<char>> = text
            .lines()
            .map(|line| line.strip_prefix("\x1b[30;107m").unwrap().strip_suffix("\x1b[0m").unwrap())
            .map(|line| line.chars().collect())
            .collect();
        let width = lines[0].len();
        assert!(lines.iter().all(|line| line.len() == width));
        assert_eq!(lines.len(), width.div_ceil(2));
        // The upper edge of two of them: seven dark squares in a row.
        let edge: String = lines[2][4..11].iter().collect();
        assert_eq!(edge, "█▀▀▀▀▀█");
        let edge: String = lines[2][width - 11..width - 4].iter().collect();
        assert_eq!(edge, "█▀▀▀▀▀█");
    }
}
