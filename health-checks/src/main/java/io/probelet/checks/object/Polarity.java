package io.probelet.checks.object;

import java.util.List;
import java.util.Set;

/** What it means that a condition of a type is True, by the words of the type (CH-41). */
enum Polarity {
  /** All is well, as {@code Ready} says. */
  GOOD,
  /** Something is wrong, as {@code Stalled} and {@code ReplicaFailure} say. */
  BAD,
  /** Something is under way, as {@code Reconciling} says. */
  CHANGING,
  /** Nothing that is known here; {@code Progressing} means different things in different kinds. */
  UNKNOWN;

  /** Those that sum up the others of their object. */
  private static final Set<String> SUMMARIES = Set.of("ready", "available", "healthy");

  private static final Set<String> GOOD_WORDS =
      Set.of(
          "ready",
          "available",
          "healthy",
          "synced",
          "valid",
          "accepted",
          "programmed",
          "admitted",
          "established",
          "reconciled",
          "succeeded",
          "success",
          "successful");
  private static final Set<String> BAD_WORDS =
      Set.of(
          "degraded",
          "stalled",
          "failed",
          "failing",
          "failure",
          "failures",
          "error",
          "errors",
          "errored",
          "invalid",
          "unhealthy",
          "unavailable",
          "unready",
          "unreachable",
          "conflict",
          "conflicted",
          "rejected",
          "blocked",
          "crashed",
          "broken",
          "expired",
          "lost",
          "pressure",
          "terminal");
  private static final Set<String> CHANGING_WORDS =
      Set.of(
          "reconciling",
          "terminating",
          "deleting",
          "creating",
          "installing",
          "provisioning",
          "initializing",
          "updating",
          "upgrading",
          "migrating",
          "restoring");

  static Polarity of(String type) {
    List<String> words = Words.of(type);
    if (words.isEmpty() || words.getFirst().equals("no")) {
      return UNKNOWN; // NoWarnings, NoErrors
    }
    String last = words.getLast();
    if (words.getFirst().equals("not")
        || words.getFirst().equals("partially")
        || BAD_WORDS.contains(last)
        || words.equals(List.of("error", "occurred"))) {
      return BAD;
    }
    if (GOOD_WORDS.contains(last) || words.equals(List.of("resolved", "refs"))) {
      return GOOD;
    }
    return words.size() == 1 && CHANGING_WORDS.contains(last) ? CHANGING : UNKNOWN;
  }

  /** {@return whether a condition sums up others of its object, which then say no more} */
  static boolean isSummary(String type) {
    List<String> words = Words.of(type);
    return words.size() == 1 && SUMMARIES.contains(words.getFirst());
  }

  /** {@return whether a condition is about a part of its object only, as DatabaseReady is} */
  static boolean isOfPart(String type) {
    return Words.of(type).size() > 1 && !type.equals("ResolvedRefs");
  }
}
