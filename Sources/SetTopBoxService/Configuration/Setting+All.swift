extension Setting {
    package static let logLevels = ["debug", "info", "notice", "warning", "error"]

    /// The paths of settings whose values no error repeats.
    static let secrets: Set<String> = ["server.key"]

    /// All keys, in the order of a file.
    package static let all: [Setting] = announce + receive + audio + quiet + registry + deliver + watching

    private static let announce: [Setting] = [
        .text(
            "announce.text", \.announce.text,
            "The message that apps find when they scan for the box. Empty: the box publishes",
            "nothing, and apps can still send messages to it."),
        .text("announce.type", \.announce.type, "The type of that message, at most 32 characters."),
        .text(
            "announce.namespace", \.announce.namespace,
            "The namespace of that message; empty: the project's own."),
    ]

    private static let receive: [Setting] = [
        .boolean(
            "receive.enabled", \.receive.isEnabled,
            "Whether the box receives messages that apps publish near it."),
        .texts(
            "receive.types", \.receive.types, "Receive only messages of these types; empty: of all types."),
        .text(
            "receive.namespace", \.receive.namespace,
            "Receive messages of this namespace; empty: the project's own."),
    ]

    private static let audio: [Setting] = [
        .text(
            "audio.playback", \.audio.playback,
            "The loudspeaker: an ALSA device ('nearby-modem devices' lists them).",
            "A name with '/' or ending in '.wav' is a WAV file or pipe."),
        .text(
            "audio.capture", \.audio.capture,
            "The microphone, named in the same way. Empty: the box has none and only broadcasts.",
            "Without a server the box needs a microphone to receive messages."),
        .text(
            "audio.profile", \.audio.profile,
            "The profile that frames are sent with: 'nearby-modem profiles' lists them. Apps must",
            "listen for the same profile; by default they listen for dsss."),
        .number(
            "audio.level-dbfs", \.audio.levelDBFS, -60...0,
            "The peak level, -60 to 0 dB relative to full scale. Keep it under 60 dB SPL at the nearest ear."),
        .number(
            "audio.pause-seconds", \.audio.pauseSeconds, 0...30,
            "Silence between two frames, 0 to 30. 0: no pause, so that apps find the box soonest."
        ),
    ]

    private static let quiet: [Setting] = [
        .texts(
            "quiet.hours", \.quiet.hours,
            "Hours without sound, in local time: [\"22:00-07:00\", \"sat-sun 13:00-15:00\"]. The days are",
            "those on which the hours begin. The box goes on listening."),
        .text(
            "quiet.time-zone", \.quiet.timeZone,
            "The time zone of quiet.hours, which need one: Europe/Berlin, UTC, or Etc/GMT-2 (2 hours ahead of",
            "UTC); without tzdata, a POSIX rule: CET-1CEST,M3.5.0,M10.5.0/3."),
        .span(
            "token.rotation-seconds", \.rotationSeconds, 10...540,
            "The token changes after a random time from this range, so that nobody can track the box by it."),
        .text(
            "token.socket", \.tokenSocket,
            "The path of a Unix socket, on which players read the tokens to mix into what they play, as",
            "GStreamer's nearbytoken does. The box plays them as well, unless audio.playback is",
            "\"/dev/null\". Empty: no socket."),
    ]

    private static let registry: [Setting] = [
        .text("server.url", \.server.url, "The URL of the server ('nearby serve')."),
        .text(
            "server.key", \.server.key,
            "The project's API key ('nearby keys create'); empty: the one in key-file or $NEARBY_KEY."),
        .text(
            "server.key-file", \.server.keyFile,
            "A file that holds only that key; 'credential:NAME' is a credential of systemd",
            "(LoadCredential=)."),
        .text(
            "server.trust", \.server.trust,
            "A PEM file with certificates to trust instead of the system's; empty: the system's."),
        .text(
            "server.device-file", \.server.deviceFile,
            "The file that keeps the box's registration at the server, so that the box stays the same",
            "device after a power cut; empty: 'device' in systemd's StateDirectory=, if there is one."),
        .text(
            "server.label", \.server.label,
            "A name by which 'nearby admin devices --label' finds the box, such as its serial number: 1 to 64",
            "printable ASCII characters. The server takes it when the box registers for the first time."),
        .text(
            "offline.key-file", \.offline.keyFile,
            "The key file that all devices of the project share, to work without a server ('nearby",
            "offline create'); empty: use the server."),
        .text(
            "offline.signer-file", \.offline.signerFile,
            "Sign the box's message with this key file ('nearby offline signer'); empty: do not sign."),
        .texts(
            "offline.publishers", \.offline.publishers,
            "Accept only messages signed by the owners of these public keys; empty: accept all messages."),
    ]

    private static let deliver: [Setting] = [
        .texts(
            "deliver.on-message", \.deliver.onMessage,
            "A program and its arguments. It is started for each message, which it reads as one line of",
            "JSON from standard input: [\"/usr/local/bin/on-message\", \"--verbose\"]."),
        .number(
            "deliver.time-limit-seconds", \.deliver.timeLimitSeconds, 0.1...3600,
            "The program is stopped after this time."),
        .integer(
            "deliver.at-once", \.deliver.atOnce, 1...64,
            "The number of programs that run at the same time; 1: messages are handled in order."),
        .integer(
            "deliver.queue", \.deliver.queue, 1...65_536,
            "The number of messages that can wait for the program; more are dropped and logged."),
        .text(
            "deliver.socket", \.deliver.socket,
            "The path of a Unix socket, on which each client reads one line of JSON per message;",
            "empty: no socket."),
        .integer(
            "deliver.socket-buffer-kib", \.deliver.socketBufferKiB, 1...65_536,
            "The data that can wait for a client of the socket; a client with more waiting is disconnected."),
    ]

    private static let watching: [Setting] = [
        .text(
            "metrics.file", \.metrics.file,
            "The file for metrics, for the textfile collector of Prometheus' node exporter. It is replaced as a",
            "whole, and its name must end in .prom. Empty: no file."),
        .number(
            "metrics.every-seconds", \.metrics.everySeconds, 1...3600,
            "The time between two writes of that file."),
        .choice(
            "log.level", \.logLevel, logLevels,
            "The lowest level that is logged: \(logLevels.joined(separator: ", "))."),
    ]
}
