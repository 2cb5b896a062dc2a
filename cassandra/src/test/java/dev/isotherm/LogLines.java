// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/** The lines logged while a task runs. */
public final class LogLines {
    private LogLines() {}

    /** The messages of the logger and of its child loggers. */
    public static List<String> of(String logger, Runnable run) {
        ListAppender<ILoggingEvent> appender = new ListAppender<>();
        Logger watched = (Logger) LoggerFactory.getLogger(logger);
        Level before = watched.getLevel();
        watched.setLevel(Level.INFO);
        appender.start();
        watched.addAppender(appender);
        try {
            run.run();
        } finally {
            watched.detachAppender(appender);
            watched.setLevel(before);
        }
        return appender.list.stream().map(ILoggingEvent::getFormattedMessage).collect(Collectors.toList());
    }
}
