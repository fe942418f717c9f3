// swift-tools-version: 6.2
import PackageDescription

// Layers are strict: arrows only downward (Sources/README.md). `Tools/test` has SwiftPM refuse imports that are
// not declared here; `Tools/check-layers` does so for modules of other packages and of the platform.

/// Warnings are errors everywhere. A debug build compiles each module at once, as a release build does: file by
/// file, the whole package takes a third more.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .unsafeFlags(["-whole-module-optimization", "-num-threads", "2"], .when(configuration: .debug)),
]

/// Signal processing and the engine are optimised in debug builds too, so that tests of them run at full speed. The
/// tests themselves mostly are not, where compiling them so would take longer than it saves.
let dsp: [SwiftSetting] = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// Types that borrow bytes, and hand out parts of them.
let borrowing: [SwiftSetting] = [.enableExperimentalFeature("Lifetimes")]

extension Target.Dependency {
    /// A product of another package. Without the trait `Engine` no such package is resolved.
    static func product(_ name: String, of package: String) -> Target.Dependency {
        .product(name: name, package: package, condition: .when(traits: ["Engine"]))
    }
}

let package = Package(
    name: "nearby",
    products: [
        .library(name: "AcousticModem", targets: ["AcousticModem"]),
        .library(name: "AudioIO", targets: ["AudioIO"]),
        .library(name: "LiveModem", targets: ["LiveModem"]),
        .library(name: "ChannelSim", targets: ["ChannelSim"]),
        .library(name: "Sounding", targets: ["Sounding"]),
        .library(name: "Nearby", targets: ["Nearby"]),
        .library(name: "NearbyClient", targets: ["NearbyClient"]),
        .library(name: "NearbyModemC", targets: ["NearbyModemC"]),
        .library(name: "NearbyOffline", targets: ["NearbyOffline"]),
        .library(name: "AudioMedium", targets: ["AudioMedium"]),
        .library(name: "Beacons", targets: ["Beacons"]),
        .library(name: "BLEMedium", targets: ["BLEMedium"]),
        .library(name: "GNSMessages", targets: ["GNSMessages"]),
        .library(name: "SetTopBox", targets: ["SetTopBox"]),
        .executable(name: "nearby", targets: ["nearby-cli"]),
        .executable(name: "nearby-stb", targets: ["nearby-stb"]),
        .executable(name: "nearby-modem", targets: ["nearby-modem"]),
    ],
    traits: [
        .trait(name: "FFTW", description: "Fourier transforms by FFTW (GPL); otherwise by our own."),
        .trait(
            name: "Engine",
            description:
                "The Nearby engine, its server and all programs. They need other packages; the modem needs none."
        ),
        .trait(
            name: "LibBluetooth",
            description:
                "Names of Bluetooth's numbers by libbluetooth (GPL) in the command nearby; otherwise none."),
        .default(enabledTraits: ["Engine", "FFTW", "LibBluetooth"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.5.1"),
    ],
    targets: [
        // L0: system libraries, nothing else in them.
        .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
        .systemLibrary(name: "CBluetooth", pkgConfig: "bluez", providers: [.apt(["libbluetooth-dev"])]),
        .systemLibrary(name: "CFFTW", pkgConfig: "fftw3f", providers: [.apt(["libfftw3-dev"])]),
        .systemLibrary(name: "CSndFile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        // Loops that Swift cannot compile for several instruction sets at once; always optimised.
        .target(name: "CKernels", cSettings: [.unsafeFlags(["-O3", "-Wall", "-Werror"])]),
        // What the loader tells in C alone.
        .target(name: "CStartCode", cSettings: [.unsafeFlags(["-Wall", "-Werror"])]),
        // A process that is forked, in which Swift must not run.
        .target(name: "CWatchdog", cSettings: [.unsafeFlags(["-Wall", "-Werror"])]),
        // The header of NearbyModemC, which implements it.
        .systemLibrary(name: "CNearbyModem"),
        // L1
        .target(name: "FileNames", swiftSettings: strict),
        .target(
            name: "Signal",
            dependencies: [.target(name: "CFFTW", condition: .when(traits: ["FFTW"])), "CKernels"],
            exclude: ["README.md"], swiftSettings: dsp),
        .target(name: "Coding", dependencies: ["CKernels"], exclude: ["README.md"], swiftSettings: dsp),
        .target(name: "Picture", dependencies: ["CPNG"], swiftSettings: dsp),
        .target(
            name: "Nearby", dependencies: [.product("Logging", of: "swift-log")],
            exclude: ["README.md"],
            swiftSettings: dsp),
        .target(
            name: "Beacons", dependencies: [.product("CryptoExtras", of: "swift-crypto")],
            exclude: ["README.md"], swiftSettings: dsp + borrowing),
        // L2
        .target(
            name: "AcousticModem", dependencies: ["Signal", "Coding", "CKernels"],
            exclude: ["README.md", "FSK/README.md", "GGWave/README.md", "Gate/README.md"],
            swiftSettings: dsp),
        .target(
            name: "NearbyModemC", dependencies: ["AcousticModem", "CNearbyModem", "Coding", "Signal"],
            exclude: ["README.md", "embedded", "examples", "packaging"], swiftSettings: dsp),
        .target(
            name: "ChannelSim", dependencies: ["Signal"], exclude: ["README.md"], swiftSettings: dsp),
        .target(
            name: "AudioIO", dependencies: ["CALSA", "CSndFile", "FileNames"], exclude: ["README.md"],
            swiftSettings: dsp),
        .target(
            name: "Sounding", dependencies: ["Signal"], exclude: ["README.md"], swiftSettings: dsp),
        .target(
            name: "NearbyOffline",
            dependencies: ["Nearby", .product("Crypto", of: "swift-crypto")],
            exclude: ["README.md"], swiftSettings: strict),
        .target(name: "MediumShell", dependencies: ["Nearby"], swiftSettings: dsp),
        // L3
        .target(
            name: "LiveModem", dependencies: ["AcousticModem", "AudioIO", "Signal"], swiftSettings: dsp),
        .target(
            name: "AudioMedium",
            dependencies: ["AcousticModem", "AudioIO", "LiveModem", "MediumShell", "Nearby", "Signal"],
            exclude: ["README.md"],
            swiftSettings: dsp),
        .target(
            name: "BLEMedium", dependencies: ["Beacons", "CWatchdog", "MediumShell", "Nearby"],
            exclude: ["README.md"],
            swiftSettings: dsp),
        .target(
            name: "SoundingOutlook", dependencies: ["AcousticModem", "Sounding"], swiftSettings: dsp),
        .target(
            name: "Plotting", dependencies: ["AcousticModem", "AudioIO", "Picture", "Signal", "Sounding"],
            swiftSettings: dsp),
        .target(
            name: "GNSMessages",
            dependencies: [
                "AudioMedium", "CDBus", "Nearby", .product("Logging", of: "swift-log"),
            ],
            exclude: ["README.md"], swiftSettings: strict),
        .target(
            name: "VirtualRoom",
            dependencies: ["AudioMedium", "ChannelSim", "Nearby", "NearbyOffline", "Signal"],
            exclude: ["README.md"],
            swiftSettings: dsp),
        .target(
            name: "CommandOutput",
            dependencies: [
                "AudioIO", "CStartCode", "FileNames", "Picture",
                .product("ArgumentParser", of: "swift-argument-parser"),
            ],
            exclude: ["README.md"], swiftSettings: strict),
        .target(name: "NearbyWire", dependencies: ["Nearby"], exclude: ["README.md"], swiftSettings: strict),
        .target(
            name: "NearbyService",
            dependencies: [
                "Beacons", "Nearby", "NearbyWire", .product("Crypto", of: "swift-crypto"),
                .product("Logging", of: "swift-log"),
            ],
            exclude: ["README.md"],
            swiftSettings: strict),
        // A target of its own, so that only the server's command links libpq.
        .target(
            name: "NearbyPostgres", dependencies: ["CPostgres", "Nearby", "NearbyService", "NearbyWire"],
            exclude: ["README.md"], swiftSettings: strict),
        .target(
            name: "NearbyServer",
            dependencies: [
                "FileNames", "Nearby", "NearbyService", "NearbyWire",
                .product("AsyncHTTPClient", of: "async-http-client"),
                .product("Crypto", of: "swift-crypto"),
                .product("GRDB", of: "GRDB.swift"),
                .product("HTTPTypes", of: "swift-http-types"),
                .product("Hummingbird", of: "hummingbird"),
                .product("HummingbirdCore", of: "hummingbird"),
                .product("Logging", of: "swift-log"),
                .product("NIOCore", of: "swift-nio"),
                .product("NIOHTTP1", of: "swift-nio"),
                .product("NIOHTTPTypes", of: "swift-nio-extras"),
                .product("NIOHTTPTypesHTTP1", of: "swift-nio-extras"),
                .product("NIOPosix", of: "swift-nio"),
                .product("NIOSSL", of: "swift-nio-ssl"),
                .product("ServiceLifecycle", of: "swift-service-lifecycle"),
                .product("UnixSignals", of: "swift-service-lifecycle"),
            ],
            exclude: ["openapi.yaml"],
            swiftSettings: strict),
        .target(
            name: "NearbyClient",
            dependencies: [
                "Nearby", "NearbyWire", .product("AsyncHTTPClient", of: "async-http-client"),
                .product("Logging", of: "swift-log"),
                .product("NIOSSL", of: "swift-nio-ssl"),
            ],
            exclude: ["README.md"], swiftSettings: strict),
        // What a page's engine does; `Tools/web-engine` compiles it for browsers.
        .target(
            name: "NearbyWeb", dependencies: ["Coding", "Nearby", "NearbyOffline", "NearbyWire"],
            path: "Sources/Web/engine", exclude: ["README.md", "embedded"], swiftSettings: strict),
        .target(
            name: "SetTopBox",
            dependencies: [
                "AcousticModem", "AudioIO", "AudioMedium", "Nearby", "NearbyClient", "NearbyOffline",
                "NearbyWire",
                .product("Logging", of: "swift-log"),
            ],
            exclude: ["README.md"], swiftSettings: strict),
        // L4
        .target(
            name: "SetTopBoxService",
            dependencies: [
                "AcousticModem", "AudioIO", "AudioMedium", "CommandOutput", "FileNames", "MediumShell",
                "Nearby",
                "NearbyOffline", "SetTopBox",
                .product("ArgumentParser", of: "swift-argument-parser"),
                .product("Logging", of: "swift-log"),
                .product("UnixSignals", of: "swift-service-lifecycle"),
            ],
            exclude: ["README.md"], swiftSettings: strict),
        // A program of its own: the box does not pay for the server's.
        .executableTarget(
            name: "nearby-stb",
            dependencies: [
                "CommandOutput", "SetTopBoxService",
                .product("ArgumentParser", of: "swift-argument-parser"),
            ],
            exclude: ["nearby-stb.service"], swiftSettings: strict),
        .executableTarget(
            name: "nearby-cli",
            dependencies: [
                "AudioIO", "AudioMedium", "BLEMedium", "Beacons",
                .target(name: "CBluetooth", condition: .when(traits: ["LibBluetooth"])),
                "CQREncode", "CommandOutput", "Nearby",
                "NearbyClient", "NearbyOffline", "NearbyPostgres", "NearbyServer", "NearbyService",
                "NearbyWire", "Picture", "Plotting", "SetTopBoxService", "VirtualRoom",
                .product("ArgumentParser", of: "swift-argument-parser"),
                .product("Logging", of: "swift-log"),
                .product("NIOCore", of: "swift-nio"),
                .product("NIOExtras", of: "swift-nio-extras"),
                .product("NIOPosix", of: "swift-nio"),
                .product("UnixSignals", of: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "nearby-modem",
            dependencies: [
                "AcousticModem", "AudioIO", "ChannelSim", "CommandOutput", "LiveModem", "Plotting", "Signal",
                "Sounding", "SoundingOutlook",
                .product("ArgumentParser", of: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        // What integrators begin with; run by the tests.
        .executableTarget(
            name: "example-box", dependencies: ["AudioIO", "Nearby", "NearbyOffline", "SetTopBox"],
            path: "Sources/Examples/Box", swiftSettings: strict),
        .executableTarget(
            name: "example-app",
            dependencies: ["AudioIO", "AudioMedium", "GNSMessages", "NearbyClient", "NearbyOffline"],
            path: "Sources/Examples/App", swiftSettings: strict),
        .executableTarget(
            name: "example-lan", dependencies: ["MediumShell", "Nearby", "NearbyClient"],
            path: "Sources/Examples/LAN", swiftSettings: strict),
        // Tests
        .target(
            name: "TestSupport", dependencies: ["FileNames", "Signal"], path: "Tests/TestSupport",
            swiftSettings: strict),
        .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
        // A program of the C header's first version.
        .target(name: "CFirstHeader", path: "Tests/CFirstHeader"),
        .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "SignalTests", dependencies: ["Signal", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "CodingTests", dependencies: ["CKernels", "Coding", "Signal", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "AcousticModemTests",
            dependencies: [
                "AcousticModem", "CAllocationCount", "CKernels", "ChannelSim", "Coding", "Signal",
                "TestSupport",
            ],
            swiftSettings: dsp),
        // Whole receivers, from sound to token: a minute of tests, where those of the parts take seconds.
        .testTarget(
            name: "ReceptionTests",
            dependencies: ["AcousticModem", "CAllocationCount", "ChannelSim", "Signal", "TestSupport"],
            swiftSettings: dsp),
        .testTarget(
            name: "ChannelSimTests", dependencies: ["ChannelSim", "Signal", "TestSupport"],
            swiftSettings: dsp),
        .testTarget(
            name: "SoundingTests", dependencies: ["ChannelSim", "Signal", "Sounding"], swiftSettings: strict),
        .testTarget(
            name: "AudioIOTests",
            dependencies: ["AudioIO", "CAllocationCount", "CSndFile", "FileNames", "Signal", "TestSupport"],
            swiftSettings: strict),
        .testTarget(name: "PictureTests", dependencies: ["CPNG", "Picture"], swiftSettings: strict),
        .testTarget(
            name: "PlottingTests",
            dependencies: [
                "AcousticModem", "AudioIO", "ChannelSim", "Picture", "Plotting", "Sounding", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AudioMediumTests",
            dependencies: ["AcousticModem", "AudioIO", "AudioMedium", "Nearby", "Signal", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "MediumShellTests", dependencies: ["MediumShell", "Nearby", "example-lan"],
            swiftSettings: strict),
        .executableTarget(
            name: "ble-bench", dependencies: ["BLEMedium", "Nearby"], path: "Tests/BLEBench",
            swiftSettings: strict),
        .testTarget(
            name: "BLEMediumTests",
            dependencies: [
                "BLEMedium", "Beacons",
                .target(name: "CBluetooth", condition: .when(traits: ["LibBluetooth"])),
                "Nearby", "Signal", "TestSupport", "ble-bench",
            ],
            swiftSettings: strict),
        .testTarget(name: "NearbyWireTests", dependencies: ["Nearby", "NearbyWire"], swiftSettings: strict),
        .testTarget(
            name: "NearbyWebTests",
            dependencies: [
                "Coding", "Nearby", "NearbyOffline", "NearbyTestSupport", "NearbyWeb", "NearbyWire",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "NearbyServiceTests",
            dependencies: ["Beacons", "Nearby", "NearbyService", "NearbyWire", "Signal", "TestSupport"],
            swiftSettings: strict),
        .executableTarget(
            name: "nearby-chaos",
            dependencies: [
                "Nearby", "NearbyClient", "NearbyServerSupport", "NearbyTestSupport", "Signal",
                .product("ArgumentParser", of: "swift-argument-parser"),
                .product("Logging", of: "swift-log"),
            ], path: "Tests/NearbyChaos", swiftSettings: strict),
        .target(
            name: "NearbyServerSupport",
            dependencies: [
                "Nearby", "NearbyTestSupport", "NearbyWire",
                .product("AsyncHTTPClient", of: "async-http-client"),
                .product("NIOCore", of: "swift-nio"),
                .product("NIOPosix", of: "swift-nio"),
            ], path: "Tests/NearbyServerSupport", swiftSettings: strict),
        .executableTarget(
            name: "nearby-fleet",
            dependencies: [
                "Nearby", "NearbyService", "NearbyTestSupport", "NearbyWire", "Signal",
                .product("ArgumentParser", of: "swift-argument-parser"),
            ], path: "Tests/NearbyFleet", swiftSettings: strict),
        .executableTarget(
            name: "nearby-load",
            dependencies: [
                .product("ArgumentParser", of: "swift-argument-parser"),
                .product("NIOCore", of: "swift-nio"),
                .product("NIOPosix", of: "swift-nio"),
            ], path: "Tests/NearbyLoad", swiftSettings: strict),
        .testTarget(
            name: "NearbyServerTests",
            dependencies: [
                "BLEMedium", "Beacons", "Nearby", "NearbyClient", "NearbyPostgres", "NearbyServer",
                "NearbyServerSupport",
                "NearbyService", "NearbyTestSupport", "NearbyWire", "Signal", "TestSupport", "nearby-cli",
                .product("AsyncHTTPClient", of: "async-http-client"),
                .product("HTTPTypes", of: "swift-http-types"),
                .product("Logging", of: "swift-log"),
                .product("NIOCore", of: "swift-nio"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "NearbyClientTests",
            dependencies: [
                "Nearby", "NearbyClient", "NearbyTestSupport", "NearbyWire", "Signal", "TestSupport",
                .product("Hummingbird", of: "hummingbird"),
                .product("HummingbirdCore", of: "hummingbird"),
                .product("HummingbirdTLS", of: "hummingbird"),
                .product("ServiceLifecycle", of: "swift-service-lifecycle"),
                .product("Logging", of: "swift-log"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "NearbyOfflineTests",
            dependencies: [
                "AudioMedium", "Nearby", "NearbyOffline", "Signal",
                .product("Crypto", of: "swift-crypto"),
            ],
            swiftSettings: dsp),
        .testTarget(
            name: "NearbyModemCTests",
            dependencies: [
                "AcousticModem", "CAllocationCount", "CFirstHeader", "CNearbyModem", "ChannelSim", "Coding",
                "Nearby", "NearbyModemC", "NearbyOffline", "Signal", .product("Crypto", of: "swift-crypto"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "BeaconsTests",
            dependencies: [
                "Beacons", "CAllocationCount", "ChannelSim", "Signal", "TestSupport",
                .product("CryptoExtras", of: "swift-crypto"),
            ],
            swiftSettings: dsp),
        .executableTarget(
            name: "beacons-bench", dependencies: ["Beacons", "CAllocationCount"], path: "Tests/BeaconsBench",
            swiftSettings: strict),
        .testTarget(
            name: "NearbyTests", dependencies: ["Nearby", "NearbyTestSupport", "Signal"],
            swiftSettings: strict),
        .target(
            name: "NearbyTestSupport",
            dependencies: ["Nearby", .product("Logging", of: "swift-log")],
            path: "Tests/NearbyTestSupport",
            swiftSettings: strict),
        .executableTarget(
            name: "gns-device", dependencies: ["GNSMessages"], path: "Tests/GNSDevice", swiftSettings: strict),
        .testTarget(
            name: "GNSMessagesTests",
            dependencies: [
                "GNSMessages", "Nearby", "NearbyTestSupport", "TestSupport", "gns-device",
                .product("Logging", of: "swift-log"),
            ],
            exclude: ["notification_service.py"],
            swiftSettings: strict),
        .testTarget(
            name: "LiveModemTests", dependencies: ["AcousticModem", "AudioIO", "LiveModem", "Signal"],
            swiftSettings: strict),
        .testTarget(
            name: "VirtualRoomTests",
            dependencies: [
                "AcousticModem", "AudioMedium", "ChannelSim", "Nearby", "NearbyOffline", "Signal",
                "TestSupport", "VirtualRoom",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "stb-bench",
            dependencies: [
                "AudioMedium", "Nearby", "SetTopBox", "SetTopBoxService", "Signal", "VirtualRoom",
                .product("ArgumentParser", of: "swift-argument-parser"),
            ], path: "Tests/StbBench", swiftSettings: strict),
        .testTarget(
            name: "SetTopBoxTests",
            dependencies: [
                "AudioMedium", "CommandOutput", "Nearby", "NearbyOffline", "NearbyTestSupport", "SetTopBox",
                "SetTopBoxService", "Signal", "TestSupport", "stb-bench",
                .product("Logging", of: "swift-log"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "AcousticModem", "AudioIO", "BLEMedium", "CPNG", "ChannelSim", "CommandOutput", "FileNames",
                "Nearby", "Picture",
                "Signal", "SoundingOutlook", "TestSupport", "VirtualRoom", "example-app", "example-box",
                "nearby-cli",
                "nearby-modem",
                "nearby-stb",
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

// `Tools/test NAME …` with names of test targets: those and what they need, so that a change in the modem does
// not build the server first.
if let names = Context.environment["NEARBY_TEST_TARGETS"] {
    var needed: Set<String> = []
    var open = names.split(separator: " ").map(String.init)
    while let name = open.popLast() {
        guard needed.insert(name).inserted, let target = package.targets.first(where: { $0.name == name })
        else { continue }
        for dependency in target.dependencies {
            switch dependency {
            case .targetItem(let name, _), .byNameItem(let name, _): open.append(name)
            default: break
            }
        }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products = []
}
