"""Row 12: weak TLS, and addresses that a client says of itself."""
import socket
import ssl
import subprocess
import warnings

from outcome import Outcome
from server_world import Line

# As OpenSSL names them, with what is wrong with each.
WEAK = [("AES128-SHA", "CBC, RSA key exchange"), ("AES128-GCM-SHA256", "RSA key exchange"), ("AES256-SHA256", "CBC, RSA"),
        ("ECDHE-RSA-AES128-SHA", "CBC"), ("ECDHE-RSA-AES256-SHA384", "CBC"), ("ECDHE-ECDSA-AES128-SHA", "CBC")]
GOOD = ["ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-RSA-CHACHA20-POLY1305"]


def certificate(folder):
    """A new one that signs itself, and its key: cert.pem and key.pem."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder / "key.pem", "-out", folder / "cert.pem",
         "-days", "1", "-subj", "/CN=localhost"], check=True, capture_output=True)
    (folder / "key.pem").chmod(0o600)


def handshake(port, version, ciphers=None):
    """The cipher that both agreed on; None when the server refused."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    # Old versions and ciphers at all: OpenSSL offers them at this level alone.
    context.set_ciphers((ciphers or "ALL") + ":@SECLEVEL=0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version = context.maximum_version = version
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as raw, context.wrap_socket(raw) as one:
            return one.cipher()[0]
    except (ssl.SSLError, ConnectionError):
        return None


async def tls(scene):
    with scene.victim_with_tls() as victim:
        outcome = Outcome(12, "TLS without forward secrecy, CBC, old versions")
        for cipher, why in WEAK:
            taken = handshake(victim.port, ssl.TLSVersion.TLSv1_2, cipher)
            outcome.must(f"{cipher} ({why}) is refused", taken is None, f"agreed on {taken}" if taken else "refused")
        for version in (ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1):
            taken = handshake(victim.port, version)
            outcome.must(f"{version.name} is refused", taken is None, f"agreed on {taken}" if taken else "refused")
        for cipher in GOOD:
            taken = handshake(victim.port, ssl.TLSVersion.TLSv1_2, cipher)
            outcome.must(f"{cipher} is taken", taken == cipher, taken or "refused")
        taken = handshake(victim.port, ssl.TLSVersion.TLSv1_3)
        outcome.must("TLS 1.3 is taken", taken is not None, taken or "refused")
        return outcome


async def registered(victim, outcome, count, said):
    """How many of so many registrations of 127.0.0.1 are taken; `said(n)`: each one's X-Forwarded-For."""
    line, taken = Line(victim.port, "127.0.0.1"), 0
    for number in range(count):
        status, _ = await line.ask("/v1/devices", victim.key, {}, headers=f"X-Forwarded-For: {said(number)}\r\n")
        outcome.cost.add(status, 200)
        taken += status == 201
    line.close()
    return taken


async def liar(scene):
    with scene.victim("--registrations-per-address", "0.4") as victim:
        outcome = Outcome(12, "a client says another X-Forwarded-For each time, budget 10")
        taken = await registered(victim, outcome, 60, lambda n: f"192.0.2.{n}")
        outcome.must("it counts as one address", 0 < taken < 30, f"{taken} of 60 taken")
        return outcome


async def behind_proxy(scene):
    options = ["--trust-proxy", "127.0.0.1", "--registrations-per-address", "0.4"]
    outcome = Outcome(12, "the same behind a trusted proxy, `--trust-proxy 127.0.0.1`")
    try:
        with scene.victim(*options) as victim:
            taken = await registered(victim, outcome, 60, lambda n: f"198.51.{n}.1")
            outcome.must("clients are told apart", taken == 60, f"{taken} of 60 taken")
            # The proxy appends whom it saw: the last one. What is before it, the client has said.
            taken = await registered(victim, outcome, 60, lambda n: f"192.0.2.{n}, 203.0.113.9")
            outcome.must("what a client says before the proxy's word is not believed", 0 < taken < 30, f"{taken} of 60 taken")
            for text in ("no address", "", ",,,", "2001:db8::1%lo, " + "9" * 4000):
                status, _ = await Line(victim.port, "127.0.0.1").ask(
                    "/v1/report", "nbd_1_x", {}, headers=f"X-Forwarded-For: {text}\r\n")
                outcome.must("a header that is none is harmless", status in (400, 401, 429, 431), f"status {status}")
    except SystemExit as problem:
        outcome.must("the option is known", False, str(problem).split("\n")[0][:100])
    return outcome


async def tls_and_proxies(scene):
    return [await tls(scene), await liar(scene), await behind_proxy(scene)]
