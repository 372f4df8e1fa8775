package io.probelet.monitor.evidence;

import com.google.re2j.Pattern;
import java.util.Locale;
import java.util.Set;

/**
 * Secrets in sentences, as in {@code the passphrase is x}. What such a sentence usually goes on
 * with (<i>is invalid</i>, <i>is not set</i>) stays; everything else counts as the secret.
 */
final class SpokenSecrets {
  private static final Pattern SAID =
      Pattern.compile(
          "(?i)" + SecretShapes.SECRET + SecretShapes.QUOTE + "?\\s+(?:is|was)(?:\\s+now)?:?\\s+");

  /** Besides words that end with ed or ing: required, expired, missing. */
  private static final Set<String> HARMLESS =
      Set.of(
          ("a absent already also an at available bad blank by correct different down empty for from"
                  + " good in incorrect invalid long malformed mandatory nil no none not now null of"
                  + " ok old on only optional out present readable same set short stale still the to"
                  + " too unavailable undefined unknown unreadable unset up valid weak wrong")
              .split(" ", -1));

  private SpokenSecrets() {}

  /** {@return the line with each secret replaced by a mark} */
  static String without(String line) {
    return SecretShapes.without(line, 0, SAID, false, SpokenSecrets::isHarmless);
  }

  private static boolean isHarmless(String value) {
    String word = value.toLowerCase(Locale.ROOT).replaceFirst("[.:!?…]+$", "");
    return HARMLESS.contains(word) || word.matches("[a-z]+(?:ed|ing)");
  }
}
