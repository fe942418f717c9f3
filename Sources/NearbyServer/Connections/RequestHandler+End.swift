import NIOCore

/// The end of a connection, by the client, the server or a deadline.
extension RequestHandler {
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output else {
            context.close(mode: mode, promise: promise)
            return
        }
        close(context)
        promise?.succeed()
    }

    /// Ends what is sent, and waits a moment for the other end to do the same.
    func close(_ context: ChannelHandlerContext) {
        guard phase != .closing else { return }
        phase = .closing
        queue = []
        dropped = 0
        context.close(mode: .output, promise: nil)
        deadline?.set(limits.lingerPatience)
        resumeReading(context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent:
            isLast = true
            if isStream { connection.endStream() }
            if phase == .waiting || phase == .dropping {
                cut.cut()
            } else if ending == nil {
                let cut = NIOLoopBound(cut, eventLoop: context.eventLoop)
                ending = context.eventLoop.scheduleTask(in: limits.endPatience) { cut.value.cut() }
            }
        case ChannelEvent.inputClosed:
            hasInputEnded = true
            if phase == .closing { return cut.cut() }
            if isStream { connection.endStream() }
            context.fireUserInboundEventTriggered(event)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        hasInputEnded = true
        if isStream { connection.endStream() }
        context.fireChannelInactive()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        isUnwritable = !context.channel.isWritable
        if isUnwritable {
            deadline?.set(limits.writePatience)
        } else if phase == .answering {
            deadline?.clear()
        }
        context.fireChannelWritabilityChanged()
    }

    func deadlineIsOver(_ context: ChannelHandlerContext) {
        if phase == .reading, !hasAnswerBegun, !isUnwritable {
            fail(.late, context)
        } else {
            cut.cut()
        }
    }
}
