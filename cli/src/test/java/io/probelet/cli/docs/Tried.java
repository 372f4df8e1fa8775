package io.probelet.cli.docs;

/** What was done with something that the documentation quotes. */
enum Tried {
  /** It was carried out. */
  RUN,
  /** The program's own parser or reader has taken it. */
  PARSED,
  /** Its words, files and names are right, as far as that can be known without a cluster. */
  CHECKED,
  /** It is a program that is not ours: a package manager, an editor, a shell's own. */
  FOREIGN,
  /** It is output, which another test may hold. */
  OUTPUT,
  /** It says why it cannot be tried. */
  EXPLAINED
}
