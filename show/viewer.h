// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// viewer.h - the parts of the page that plays a run, made from show/viewer/ when building.

#ifndef SCREE_SHOW_VIEWER_H
#define SCREE_SHOW_VIEWER_H

extern const char show_viewer_html[], show_viewer_css[], show_viewer_js[];

#endif
