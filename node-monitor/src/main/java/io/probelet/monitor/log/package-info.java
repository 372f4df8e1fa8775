/**
 * Finds problems in log lines. Most lines match no rule, so a single pass finds which expressions
 * could match, and only those are tried. Matched text is untrusted: it is cleaned and bounded
 * before it is shown (B-14).
 */
@NullMarked
package io.probelet.monitor.log;

import org.jspecify.annotations.NullMarked;
