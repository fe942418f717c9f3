#if !ONE_CHANNEL
    import AcousticModem
    import Signal

    /// Several channels that are listened to together, and the last sound of each.
    struct HeardArray {
        /// A frame and the channel that heard it.
        private struct HeardFrame: MergeableReport {
            var report: DecodeReport
            var channel: Int
            let foundEnd: SamplePosition
        }

        private let channels: Range<Int>
        private var receiver: ArrayReceiver
        private var sounds: [HeardSound]
        private var merger: ReportMerger<HeardFrame>
        private var end: SamplePosition = 0

        init(_ settings: ReceiverSettings) {
            channels = settings.channels
            receiver = ArrayReceiver(
                profiles: settings.profiles, sampleRateHz: settings.sampleRateHz,
                channelCount: channels.count, observer: nil)
            sounds = channels.map { _ in HeardSound(sampleRateHz: Double(settings.sampleRateHz)) }
            merger = ReportMerger(
                sampleRateHz: settings.sampleRateHz, channelCount: channels.count, waitsForBest: false)
        }

        /// See ``HeardChannel/process(_:_:)``.
        mutating func process(
            _ samples: (_ channel: Int) -> UnsafeBufferPointer<Float>, _ listener: FrameListener
        ) {
            var reports: [DecodeReport] = []
            for channel in channels {
                let part = samples(channel)
                if channel == channels.lowerBound { end += part.count }
                sounds[channel].add(part)
                reports += receiver.process(part, channel: channel)
            }
            tell(reports + receiver.advance(), listener)
        }

        mutating func skip(_ count: Int64, _ listener: FrameListener) {
            end = SamplePosition(count).after(end)
            tell(receiver.skip(frames: count), listener)
            for channel in channels { sounds[channel].skip(count) }
        }

        mutating func finish(_ listener: FrameListener) { tell(receiver.finish(), listener) }

        /// Tells of each frame once that several channels report.
        private mutating func tell(_ reports: [DecodeReport], _ listener: FrameListener) {
            for report in reports {
                merger.add(HeardFrame(report: report, channel: report.channelIndex, foundEnd: end))
            }
            for frame in merger.take(after: end) {
                listener(frame.report, frame.channel, sounds[frame.channel].levelDBFS(of: frame.report))
            }
        }
    }
#endif
