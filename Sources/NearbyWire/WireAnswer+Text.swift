import FoundationEssentials

extension WireAnswer {
    /// The answer as a body: the same bytes as from ``WireCoding/encode(_:)``.
    package var json: [UInt8] {
        var text = JSONText()
        text.object {
            $0.member("deliveries", deliveries) { text, delivery in delivery.write(to: &text) }
            $0.member("grants", grants) { text, grant in grant.write(to: &text) }
            $0.member("invalid", invalid) { text, token in text.string(token) }
            $0.member("keepAliveMillis", keepAliveMillis)
            $0.member("mailbox", mailbox)
            $0.member("news", news)
            $0.member("patienceMillis", patienceMillis) { text, millis in text.number(millis) }
            $0.member("refused", refused) { text, one in one.write(to: &text) }
            $0.member("retryWithinSeconds", retryWithinSeconds.map { Int64($0) })
            $0.member("valid", valid) { text, token in text.string(token) }
            $0.member("verdicts", verdicts) { text, verdict in text.string(verdict) }
        }
        return text.bytes
    }
}

extension WireAnswer.Delivery {
    fileprivate func write(to text: inout JSONText) {
        text.object {
            $0.member("change", change)
            $0.name("message")
            message.write(to: &$0)
            $0.member("publication", publication)
            $0.member("subscription", subscription)
        }
    }
}

extension WireMessage {
    fileprivate func write(to text: inout JSONText) {
        text.object {
            $0.member("content", content.base64EncodedString())
            $0.member("namespace", namespace)
            $0.member("type", type)
        }
    }
}

extension WireAnswer.Grant {
    fileprivate func write(to text: inout JSONText) {
        text.object {
            $0.member("medium", medium)
            $0.member("startsInMillis", startsInMillis)
            $0.member("timeToLiveMillis", timeToLiveMillis)
            $0.member("token", token)
        }
    }
}

extension WireAnswer.Refused {
    fileprivate func write(to text: inout JSONText) {
        text.object {
            $0.member("error", error)
            $0.member("id", id)
        }
    }
}
