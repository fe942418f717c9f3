"""A desktop's notification service for tests: owns the name, prints what it is asked to show, answers with a number."""
import time

import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME = "org.freedesktop.Notifications"


class Service(dbus.service.Object):
    shown = 0

    @dbus.service.method(NAME, in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, application, replaced, icon, summary, body, actions, hints, timeout):
        if summary == "refuse":
            raise dbus.DBusException("too many", name="org.freedesktop.Notifications.Error.ExcessNotificationGeneration")
        if summary == "hang":
            time.sleep(10)
        self.shown += 1
        print(f"{application}|{replaced}|{icon}|{summary}|{body}|{len(actions)}|{len(hints)}|{timeout}", flush=True)
        return 41 + self.shown


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
name = dbus.service.BusName(NAME, bus)
service = Service(bus, "/org/freedesktop/Notifications")
print("ready", flush=True)
GLib.MainLoop().run()
