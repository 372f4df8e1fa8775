package io.probelet.document.tree;

/** Reads a single value of a longer text; ends with that value. */
final class InnerEvents implements TreeEvents {
  private final TreeEvents text;
  private int depth;
  private boolean begun;

  /** Begins with the next event of {@code text}. */
  InnerEvents(TreeEvents text) {
    this.text = text;
  }

  @Override
  public TreeEvent next() throws SyntaxException {
    if (begun && depth == 0) {
      return new TreeEvent.Done(Position.START);
    }
    begun = true;
    TreeEvent event = text.next();
    switch (event) {
      case TreeEvent.MappingStart _, TreeEvent.SequenceStart _ -> depth++;
      case TreeEvent.End _ -> depth--;
      case TreeEvent.Value _, TreeEvent.Alias _, TreeEvent.Done _ -> {}
    }
    return event;
  }
}
