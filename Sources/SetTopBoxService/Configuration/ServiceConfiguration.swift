/// The values of a configuration file, each with its default. ``Setting/all`` names and explains them.
package struct ServiceConfiguration: Sendable, Hashable {
    package struct Announce: Sendable, Hashable {
        package var text = "set-top box"
        package var type = "screen"
        package var namespace = ""
    }

    package struct Receive: Sendable, Hashable {
        package var isEnabled = true
        package var types: [String] = []
        package var namespace = ""
    }

    package struct Audio: Sendable, Hashable {
        package var playback = "default"
        package var capture = ""
        package var profile = "dsss"
        package var levelDBFS = -6.0
        package var pauseSeconds = 0.0
    }

    package struct Quiet: Sendable, Hashable {
        package var hours: [String] = []
        package var timeZone = ""
    }

    package struct Server: Sendable, Hashable {
        package var url = "http://127.0.0.1:8480"
        package var key = ""
        package var keyFile = ""
        package var trust = ""
        package var deviceFile = ""
        package var label = ""
    }

    package struct Offline: Sendable, Hashable {
        package var keyFile = ""
        package var signerFile = ""
        package var publishers: [String] = []
    }

    package struct Deliver: Sendable, Hashable {
        package var onMessage: [String] = []
        package var timeLimitSeconds = 10.0
        package var atOnce = 1
        package var queue = 256
        package var socket = ""
        package var socketBufferKiB = 256
    }

    package struct Metrics: Sendable, Hashable {
        package var file = ""
        package var everySeconds = 15.0
    }

    package var announce = Announce()
    package var receive = Receive()
    package var audio = Audio()
    package var quiet = Quiet()
    package var rotationSeconds = [60.0, 300.0]
    package var tokenSocket = ""
    package var server = Server()
    package var offline = Offline()
    package var deliver = Deliver()
    package var metrics = Metrics()
    package var logLevel = "info"

    package init() {}
}
