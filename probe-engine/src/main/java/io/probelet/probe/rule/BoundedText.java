package io.probelet.probe.rule;

import java.util.function.BooleanSupplier;

/** A text whose reader is stopped when its result is no longer needed. */
final class BoundedText implements CharSequence {
  /** With the largest program, about a millisecond's work. */
  private static final int READS_BETWEEN_CHECKS = 64;

  private final String text;
  private final BooleanSupplier over;
  private int reads;

  /** Thrown out of the reader. */
  static final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StoppedException() {
      super("stopped", null, false, false);
    }
  }

  BoundedText(String text, BooleanSupplier over) {
    this.text = text;
    this.over = over;
  }

  @Override
  public char charAt(int index) {
    if (++reads % READS_BETWEEN_CHECKS == 0) {
      check();
    }
    return text.charAt(index);
  }

  /** Throws if reading must stop. */
  void check() {
    if (over.getAsBoolean()) {
      throw new StoppedException();
    }
  }

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return text.subSequence(start, end);
  }

  @Override
  public String toString() {
    return text;
  }
}
