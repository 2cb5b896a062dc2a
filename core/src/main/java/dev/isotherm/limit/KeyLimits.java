// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import dev.isotherm.common.Allowed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The last words about single partitions that one node knows of, at most {@link #MOST_WORDS}. Immutable.
 *
 * <p>Nodes {@link #merged merge} what they tell each other, in any order and as often as they like, and end up with the
 * same. Where more partitions are spoken of than there is room for, the order decides with what: a limit that a node
 * tells once its removal had to go holds again, until it ends or is removed once more.
 */
public final class KeyLimits {
    /*
     * A last-writer-wins map (Shapiro, Preguiça, Baquero, Zawirski, "A comprehensive study of convergent and
     * commutative replicated data types", INRIA 2011): of two words about a partition the newer one counts. A removal
     * is a word too, and each word, whether it removes limits or sets them, is remembered until any older one would
     * have ended: a node that was cut off may have been given one that nobody else knows, and tells it when it is back.
     * That is KeyLimit.MOST_MILLIS after it was said.
     *
     * Beyond MOST_WORDS those go first that limit nothing any more, of these the oldest. An operator is refused before
     * limits themselves would go. Nothing is known afterwards of a removal that went: to refuse all words that are
     * older would refuse limits of other partitions, too, which hold on the nodes that heard of them in time.
     */

    /** The most partitions that an operator can limit at once. */
    public static final int MOST_KEYS = 64;

    /** The most words that are remembered, those about partitions without limits included. */
    public static final int MOST_WORDS = 128;

    /**
     * How far ahead of this node's clock a word may have been said, by another node or by this one while its clock was
     * wrong: further ahead it could not be taken back.
     */
    public static final long MOST_AHEAD_MILLIS = TimeUnit.DAYS.toMillis(1);

    public static final KeyLimits EMPTY = new KeyLimits(List.of());

    private static final Comparator<KeyLimit> NEWEST_FIRST =
            Comparator.comparingLong((KeyLimit word) -> -word.setMillis).thenComparing(KeyLimit::comparePartition);

    /** The words, in the order of the partitions, each once. */
    private final List<KeyLimit> words;

    private KeyLimits(List<KeyLimit> words) {
        this.words = words;
    }

    /** All words, in the order of the partitions; not to be changed. */
    public List<KeyLimit> words() {
        return words;
    }

    /** The word about a partition; null if there is none. */
    public KeyLimit of(long tableMsb, long tableLsb, byte[] key) {
        for (KeyLimit word : words) {
            if (word.isAbout(tableMsb, tableLsb, key)) {
                return word;
            }
        }
        return null;
    }

    /** The number of partitions that have limits at this instant, of those whose words are counted. */
    public int holding(long nowMillis, Predicate<KeyLimit> counted) {
        return (int) words.stream()
                .filter(word -> word.holds(nowMillis) && counted.test(word))
                .count();
    }

    /** Whether there is room for a word about the partition: it has one already, or not all others hold. */
    public boolean hasRoomFor(long tableMsb, long tableLsb, byte[] key, long nowMillis) {
        return holding(nowMillis, word -> true) < MOST_WORDS || of(tableMsb, tableLsb, key) != null;
    }

    /** The words that the other does not know. */
    public KeyLimits without(KeyLimits other) {
        return new KeyLimits(
                words.stream().filter(word -> !other.words.contains(word)).collect(Collectors.toUnmodifiableList()));
    }

    /**
     * Limits a partition from now on, in place of what was said before.
     *
     * @param maxReads reads a second, 1 or above, or {@link KeyLimit#NONE}; one of the two must be a limit
     * @param untilMillis after {@code nowMillis}, by at most {@link KeyLimit#MOST_MILLIS}
     * @throws IllegalArgumentException naming what is out of its range
     */
    public KeyLimits limited(
            long tableMsb, long tableLsb, byte[] key, int maxReads, int maxWrites, long untilMillis, long nowMillis) {
        if (maxReads == KeyLimit.NONE && maxWrites == KeyLimit.NONE) {
            throw Allowed.refusal("maxReads", maxReads, "1 or above where maxWrites is none");
        }
        if (untilMillis <= nowMillis || untilMillis - KeyLimit.MOST_MILLIS > nowMillis) {
            throw Allowed.refusal("untilMillis", untilMillis, "after nowMillis, by at most " + KeyLimit.MOST_MILLIS);
        }
        return said(tableMsb, tableLsb, key, maxReads, maxWrites, untilMillis, nowMillis);
    }

    /**
     * Takes a partition's limits away, those too that other nodes know and this one does not yet; of these not one that
     * was set by a clock ahead of {@code nowMillis}: as the newer word it counts again once this node hears of it.
     */
    public KeyLimits removed(long tableMsb, long tableLsb, byte[] key, long nowMillis) {
        return said(tableMsb, tableLsb, key, KeyLimit.NONE, KeyLimit.NONE, 0, nowMillis);
    }

    private KeyLimits said(
            long tableMsb, long tableLsb, byte[] key, int maxReads, int maxWrites, long untilMillis, long nowMillis) {
        KeyLimit before = of(tableMsb, tableLsb, key);
        // The clock of the node that said it may be ahead of this one's.
        long set = before == null || isOfTheFuture(before, nowMillis)
                ? nowMillis
                : Math.max(nowMillis, before.setMillis + 1);
        // What is not known may end as late as any limit that was said before.
        long kept = set + KeyLimit.MOST_MILLIS;
        return merged(
                new KeyLimits(
                        List.of(new KeyLimit(tableMsb, tableLsb, key, maxReads, maxWrites, set, untilMillis, kept))),
                nowMillis);
    }

    /** Whether only a node can have said so whose clock is more than {@link #MOST_AHEAD_MILLIS} ahead. */
    static boolean isOfTheFuture(KeyLimit word, long nowMillis) {
        return word.setMillis - MOST_AHEAD_MILLIS > nowMillis;
    }

    /**
     * What two nodes know together, without what has ended and what this one has of the future; this if the other knows
     * nothing more.
     */
    public KeyLimits merged(KeyLimits other, long nowMillis) {
        TreeSet<KeyLimit> all = new TreeSet<>(KeyLimit::comparePartition);
        for (KeyLimit word : words) {
            // Said here while this node's clock was wrong; it would win over each word that is right.
            if (!isOfTheFuture(word, nowMillis)) {
                all.add(word);
            }
        }
        for (KeyLimit word : other.words) {
            KeyLimit before = all.floor(word);
            if (before == null || before.comparePartition(word) != 0) {
                all.add(word);
            } else if (!before.equals(word)) {
                all.remove(before);
                all.add(before.or(word));
            }
        }
        all.removeIf(word -> word.keptMillis <= nowMillis);
        List<KeyLimit> left = new ArrayList<>(all);
        if (left.size() > MOST_WORDS) {
            left.sort(mostNeededFirst(nowMillis));
            left = left.subList(0, MOST_WORDS);
            left.sort(KeyLimit::comparePartition);
        }
        return left.equals(words) ? this : new KeyLimits(List.copyOf(left));
    }

    private static Comparator<KeyLimit> mostNeededFirst(long nowMillis) {
        return Comparator.comparing((KeyLimit word) -> !word.holds(nowMillis)).thenComparing(NEWEST_FIRST);
    }

    /** The same without what has ended and what is of the future; this if that is nothing. */
    public KeyLimits at(long nowMillis) {
        return merged(EMPTY, nowMillis);
    }

    /** The words in any order, about each partition once or more; to be merged, not to be used. */
    static KeyLimits told(List<KeyLimit> words) {
        return new KeyLimits(words);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyLimits && words.equals(((KeyLimits) other).words);
    }

    @Override
    public int hashCode() {
        return words.hashCode();
    }

    @Override
    public String toString() {
        return words.toString();
    }
}
