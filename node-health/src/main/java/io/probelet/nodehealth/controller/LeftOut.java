package io.probelet.nodehealth.controller;

import io.probelet.health.OneLine;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports objects that a tape cannot contain, each once: its reader would reject the whole tape.
 * Otherwise anyone who can change a Node could make a recording useless.
 */
final class LeftOut {
  private static final Logger LOG = LoggerFactory.getLogger(LeftOut.class);
  private static final int MAX_NAMED = 1_000;
  private static final int MAX_NAME = 253;

  private final Set<String> named = new HashSet<>();

  void add(String kind, String name) {
    String shown = OneLine.of(name, MAX_NAME);
    if (named.size() < MAX_NAMED && named.add(kind + "/" + shown)) {
      LOG.warn(
          "object skipped in the tape: exceeds the tape's limits kind={} name={}", kind, shown);
    }
  }
}
