import AcousticModem

#if ONE_CHANNEL
    /// The modem of a page listens to one channel.
    typealias HeardChannels = HeardChannel
#else
    /// The channels that are listened to: one, or several together.
    struct HeardChannels {
        private var one: HeardChannel?
        private var several: HeardArray?

        init(_ settings: ReceiverSettings) {
            if settings.channels.count == 1 {
                one = HeardChannel(settings)
            } else {
                several = HeardArray(settings)
            }
        }

        /// See ``HeardChannel/process(_:_:)``.
        mutating func process(
            _ samples: (_ channel: Int) -> UnsafeBufferPointer<Float>, _ listener: FrameListener
        ) {
            one?.process(samples, listener)
            several?.process(samples, listener)
        }

        mutating func skip(_ count: Int64, _ listener: FrameListener) {
            one?.skip(count, listener)
            several?.skip(count, listener)
        }

        mutating func finish(_ listener: FrameListener) {
            one?.finish(listener)
            several?.finish(listener)
        }
    }
#endif
