package io.probelet.probe;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression from an untrusted author, measured before it is accepted. RE2 matches in
 * time linear in the text, but also in the compiled program, and counted repetitions multiply that:
 * {@code ((a{100}){100}){100}} is a million instructions in 21 characters. Only the text is kept:
 * the compiled programs of hundreds of pods would take too much memory.
 */
public final class BodyPattern {
  /** Longest expression, in characters. */
  public static final int MAX_CHARS = 500;

  /**
   * Most instructions a program may have. At 10 KiB of text and about 15 ns for each byte and
   * instruction, the worst program of this size takes some 150 ms; usual ones have 10 to 100
   * instructions and take far less than one.
   */
  public static final int MAX_PROGRAM = 1_000;

  /** Characters times counts: bounds what compiling costs before the program can be measured. */
  private static final long MAX_UNROLLED = 10_000;

  /**
   * A class such as {@code \pL} is one instruction with a table of up to 10 KiB, copied each time.
   */
  private static final int CLASS_SIZE = 50;

  /** Deep enough for {@link #MAX_UNROLLED}: the compiler recurses. */
  private static final long STACK_BYTES = 16L * 1024 * 1024;

  private static final Pattern COUNTED = Pattern.compile("\\{([0-9]{1,4})(?:,([0-9]{0,4}))?\\}");

  /** One compilation at a time, so that memory is limited to one stack and one program. */
  private static final Lock MEASURING = new ReentrantLock();

  private final String text;
  private final int programSize;

  private BodyPattern(String text, int programSize) {
    this.text = text;
    this.programSize = programSize;
  }

  /**
   * Accepts an expression. This may take tens of milliseconds: do not call it on an event loop.
   *
   * @param text RE2 syntax
   * @return the expression
   * @throws IllegalArgumentException saying what it must be, if it is too large or malformed
   */
  public static BodyPattern of(String text) {
    if (text.length() > MAX_CHARS) {
      throw new IllegalArgumentException(
          "must be no more than " + MAX_CHARS + " characters, found " + text.length());
    }
    if (unrolled(text) > MAX_UNROLLED) {
      throw new IllegalArgumentException(
          "must be smaller: its length times its repetition counts exceeds " + MAX_UNROLLED);
    }
    int size = measured(text);
    if (size > MAX_PROGRAM) {
      throw new IllegalArgumentException(
          "must be smaller: it compiles to "
              + size
              + " instructions, at most "
              + MAX_PROGRAM
              + " are allowed");
    }
    return new BodyPattern(text, size);
  }

  /** {@return the expression as it was written} */
  public String pattern() {
    return text;
  }

  /** {@return how many instructions the compiled program has, tables counted as such} */
  public int programSize() {
    return programSize;
  }

  /** {@return the compiled program; do not call it on an event loop} */
  public Pattern compile() {
    return Pattern.compile(text);
  }

  private static long unrolled(String text) {
    long size = text.length();
    com.google.re2j.Matcher counted = COUNTED.matcher(text);
    while (counted.find() && size <= MAX_UNROLLED) {
      size *= Math.max(1, Math.max(count(counted.group(1)), count(counted.group(2))));
    }
    return size;
  }

  /** Counts character classes such as {@code \pL}, quoted ones included. */
  private static int unicodeClasses(String text) {
    int classes = 0;
    for (int i = 0; i + 1 < text.length(); i++) {
      boolean named = text.charAt(i + 1) == 'p' || text.charAt(i + 1) == 'P';
      classes += text.charAt(i) == '\\' && named ? 1 : 0;
    }
    return classes;
  }

  private static long count(@Nullable String digits) {
    return digits == null || digits.isEmpty() ? 1 : Long.parseLong(digits);
  }

  /** Compiles on a stack of known depth, whatever the caller's is. */
  private static int measured(String text) {
    AtomicReference<Object> result = new AtomicReference<>("was not compiled");
    MEASURING.lock();
    try {
      Thread compiler =
          new Thread(null, () -> result.set(sizeOrFault(text)), "pattern-size", STACK_BYTES);
      compiler.setDaemon(true);
      compiler.start();
      joinFully(compiler);
    } finally {
      MEASURING.unlock();
    }
    return switch (result.get()) {
      case Integer size -> size;
      case Object fault -> throw new IllegalArgumentException(fault.toString());
    };
  }

  private static Object sizeOrFault(String text) {
    try {
      return Pattern.compile(text).programSize() + CLASS_SIZE * unicodeClasses(text);
    } catch (PatternSyntaxException malformed) {
      return "must be an RE2 regular expression: " + malformed.getMessage();
    } catch (StackOverflowError | RuntimeException tooLarge) {
      return "must be smaller: it is too large to be compiled";
    }
  }

  private static void joinFully(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException later) {
        interrupted = true; // it takes milliseconds, and the answer is needed
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BodyPattern pattern && pattern.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
