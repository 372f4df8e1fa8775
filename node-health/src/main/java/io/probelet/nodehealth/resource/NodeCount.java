package io.probelet.nodehealth.resource;

/** A number of nodes, given as such or as a part of all. */
public sealed interface NodeCount {
  /**
   * Turns it into a number.
   *
   * @param total how many nodes there are, zero or more
   * @return how many of them are meant; a percentage is rounded up
   */
  int of(int total);

  /**
   * Turns it into a number that is a maximum.
   *
   * @param total how many nodes there are, zero or more
   * @return how many of them are meant; a percentage is rounded down (ACT-78)
   */
  int atMost(int total);

  /**
   * A plain number.
   *
   * @param nodes zero or more
   */
  record Nodes(int nodes) implements NodeCount {
    /** Checks the range. */
    public Nodes {
      if (nodes < 0) {
        throw new IllegalArgumentException("a number of nodes cannot be " + nodes);
      }
    }

    @Override
    public int of(int total) {
      return nodes;
    }

    @Override
    public int atMost(int total) {
      return nodes;
    }

    @Override
    public String toString() {
      return Integer.toString(nodes);
    }
  }

  /**
   * A part of all nodes.
   *
   * @param percent 0 to 100
   */
  record Percent(int percent) implements NodeCount {
    /** Checks the range. */
    public Percent {
      if (percent < 0 || percent > 100) {
        throw new IllegalArgumentException("a percentage of nodes cannot be " + percent + "%");
      }
    }

    @Override
    public int of(int total) {
      return Math.ceilDiv(total * percent, 100); // a part of a node is a whole one
    }

    @Override
    public int atMost(int total) {
      return total * percent / 100; // ACT-78: a maximum is never exceeded
    }

    @Override
    public String toString() {
      return percent + "%";
    }
  }
}
