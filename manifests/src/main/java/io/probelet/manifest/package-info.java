/**
 * Reads pods from paths on the command line: finds, reads and checks files, reports all problems of
 * all files at once, and watches folders for changes. Reading never throws because of a file's
 * content; an invalid file affects only its own pods.
 */
@NullMarked
package io.probelet.manifest;

import org.jspecify.annotations.NullMarked;
