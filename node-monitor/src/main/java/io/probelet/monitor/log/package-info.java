/**
 * Finding problems in lines. Most lines of a log match no rule, so one pass over a line finds which
 * expressions could match at all, and only those are tried. What is found is text from outside: it
 * is cleaned and bounded before anybody sees it (B-14).
 */
@NullMarked
package io.probelet.monitor.log;

import org.jspecify.annotations.NullMarked;
