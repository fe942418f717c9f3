extension Setting {
    package static let logLevels = ["debug", "info", "notice", "warning", "error"]

    /// The paths of settings whose values no error repeats.
    static let secrets: Set<String> = ["server.key"]

    /// All keys, in the order of a file.
    package static let all: [Setting] = announce + receive + audio + quiet + registry + deliver + watching

    private static let announce: [Setting] = [
        .text(
            "announce.text", \.announce.text,
            "What apps find that scan for the box; empty: it says nothing of itself,",
            "and apps reach it all the same."),
        .text("announce.type", \.announce.type, "The type of that message, at most 32 characters."),
        .text("announce.namespace", \.announce.namespace, "Its namespace; empty: the project's own."),
    ]

    private static let receive: [Setting] = [
        .boolean(
            "receive.enabled", \.receive.isEnabled, "Whether messages arrive that apps publish near the box."),
        .texts("receive.types", \.receive.types, "Messages of these types alone; empty: of any."),
        .text(
            "receive.namespace", \.receive.namespace,
            "Messages of this namespace; empty: the project's own."),
    ]

    private static let audio: [Setting] = [
        .text(
            "audio.playback", \.audio.playback,
            "The loudspeaker: an ALSA device ('nearby-modem devices' lists them);",
            "with a '/' or '.wav' in it, a WAV file or pipe in its place."),
        .text(
            "audio.capture", \.audio.capture,
            "The microphone, named likewise; empty: there is none, and the box only",
            "broadcasts. Without a server it needs one to take messages."),
        .text(
            "audio.profile", \.audio.profile,
            "What frames are sent in: 'nearby-modem profiles' lists them. Apps must",
            "listen for the same one; dsss is what they listen for by default."),
        .number(
            "audio.level-dbfs", \.audio.levelDBFS, -60...0,
            "Loudness of the peak, -60 to 0 dB under full scale. Under 60 dB SPL at the nearest ear."),
        .number(
            "audio.pause-seconds", \.audio.pauseSeconds, 0...30,
            "Silence between two frames, 0 to 30; 0: it never stops, and is found soonest."),
    ]

    private static let quiet: [Setting] = [
        .texts(
            "quiet.hours", \.quiet.hours,
            "When nothing sounds, by local time: [\"22:00-07:00\", \"sat-sun 13:00-15:00\"].",
            "Days are those on which it begins; what is heard goes on."),
        .text(
            "quiet.time-zone", \.quiet.timeZone,
            "Whose local time: Europe/Berlin, UTC; Etc/GMT-2 is 2 hours ahead of UTC; or its rule, where there",
            "is no tzdata: CET-1CEST,M3.5.0,M10.5.0/3. Must be said where there are hours."),
        .span(
            "token.rotation-seconds", \.rotationSeconds, 10...540,
            "Another token after so long, drawn from this range each time: nobody can follow the box by it."),
    ]

    private static let registry: [Setting] = [
        .text("server.url", \.server.url, "The server, 'nearby serve'."),
        .text(
            "server.key", \.server.key,
            "The project's API key, 'nearby keys create'; empty: that of key-file, or of $NEARBY_KEY."),
        .text(
            "server.key-file", \.server.keyFile,
            "A file with that key alone in it; 'credential:NAME' is one of systemd's",
            "credentials (LoadCredential=)."),
        .text(
            "server.trust", \.server.trust,
            "Trust these certificates (PEM) in place of the system's; empty: the system's."),
        .text(
            "offline.key-file", \.offline.keyFile,
            "No server: a key that all devices of the project have, 'nearby offline",
            "create'; empty: there is a server."),
        .text(
            "offline.signer-file", \.offline.signerFile,
            "Sign what the box says with this key, 'nearby offline signer'."),
        .texts(
            "offline.publishers", \.offline.publishers,
            "Believe only what the owners of these public keys have signed; empty: anyone."),
    ]

    private static let deliver: [Setting] = [
        .texts(
            "deliver.on-message", \.deliver.onMessage,
            "A program and its arguments: started for each message, which is one line of JSON",
            "on its standard input: [\"/usr/local/bin/on-message\", \"--verbose\"]."),
        .number(
            "deliver.time-limit-seconds", \.deliver.timeLimitSeconds, 0.1...3600, "After which it is ended."),
        .integer(
            "deliver.at-once", \.deliver.atOnce, 1...64,
            "So many of it at a time; 1: messages are handled in their order."),
        .integer(
            "deliver.queue", \.deliver.queue, 1...65_536,
            "So many messages wait for it; more are dropped, and said so."),
        .text(
            "deliver.socket", \.deliver.socket,
            "A Unix socket: whoever connects reads one line of JSON for each message;",
            "empty: there is none."),
        .integer(
            "deliver.socket-buffer-kib", \.deliver.socketBufferKiB, 1...65_536,
            "So much waits for a reader of it; one that reads more slowly is let go."),
    ]

    private static let watching: [Setting] = [
        .text(
            "metrics.file", \.metrics.file,
            "Numbers for Prometheus' node exporter (its textfile collector), replaced as a",
            "whole; its name ends in .prom. Empty: none."),
        .number("metrics.every-seconds", \.metrics.everySeconds, 1...3600, "How often it is written."),
        .choice(
            "log.level", \.logLevel, logLevels,
            "What is worth a line: \(logLevels.joined(separator: ", "))."),
    ]
}
