/**
 * Reads objects field by field. A {@link io.probelet.document.field.Fields} returns the fields
 * present, remembers the requested names, and so detects misspelled fields. Every problem goes to
 * one list with file, document, line, path, the value found and the violated rule; reading
 * continues with a safe value. The wording is that of the Kubernetes API server, which users know.
 */
@NullMarked
package io.probelet.document.field;

import org.jspecify.annotations.NullMarked;
