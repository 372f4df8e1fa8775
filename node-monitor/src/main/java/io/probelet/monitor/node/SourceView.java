package io.probelet.monitor.node;

/**
 * How a source of evidence is doing (B-13).
 *
 * @param source its monitor
 * @param state whether it observes what it is for
 * @param reads lines that were read, or runs of plugins and checks
 * @param matches how many of them were a problem
 * @param lost lines that were lost before they could be read
 * @param unread lines whose time could not be read, so that they are no entries of their log
 * @param tooOld matches of lines that were older than the lookback, or within the delay
 * @param timeouts runs that took too long
 * @param seconds time spent in runs
 */
public record SourceView(
    String source,
    SourceState state,
    long reads,
    long matches,
    long lost,
    long unread,
    long tooOld,
    long timeouts,
    double seconds) {
  /** {@return what keeps it from working, for people; empty if nothing does} */
  public String trouble() {
    return state.trouble();
  }
}
