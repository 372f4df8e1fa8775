/**
 * How {@code probelet validate} reports: for people, for programs, and as SARIF for what shows
 * findings beside the lines of a change. What is wrong is found elsewhere; nothing here decides.
 */
@NullMarked
package io.probelet.cli.validate;

import org.jspecify.annotations.NullMarked;
