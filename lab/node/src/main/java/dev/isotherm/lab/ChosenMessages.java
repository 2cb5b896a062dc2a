// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Which of the messages that arrive suffer: so many of a hundred, by a sequence that is the same in each process. Which
 * message is the n-th is chance.
 *
 * <p>Thread safe.
 */
final class ChosenMessages {
    private final int ofHundred;
    private final AtomicLong arrived = new AtomicLong();

    /** @param fate what happens to them, in the past tense */
    ChosenMessages(int ofHundred, String fate) {
        if (ofHundred < 0 || ofHundred > 100) {
            throw new IllegalArgumentException("of a hundred messages 0 to 100 are " + fate + ", not " + ofHundred);
        }
        this.ofHundred = ofHundred;
    }

    /** Returns whether any message suffers. */
    boolean strikesAny() {
        return ofHundred > 0;
    }

    /** Returns whether the message that arrives now suffers. */
    boolean strikesNext() {
        return strikesAny() && new SplittableRandom(arrived.getAndIncrement()).nextInt(100) < ofHundred;
    }
}
