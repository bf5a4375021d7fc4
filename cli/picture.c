// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// picture.c - numbers among options; options of pictures of bodies: --view, --colour, --with,
// --region, --born.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"

bool cli_read_number(const cli_args *args, const char *option, double low, double *number) {
    const char *text = cli_value(args, option);
    char *rest;
    if (!text) return true;
    double given = strtod(text, &rest);
    if (*rest || rest == text || !(given >= low) || !isfinite(given)) {
        cli_wrong_use(args, "--%s wants a number from %g on, got \"%s\"", option, low, text);
        return false;
    }
    *number = given;
    return true;
}

bool cli_read_view(const cli_args *args, show_bodies_options *options) {
    static const struct {
        const char *name;
        double azimuth, elevation;
    } sides[] = {
        { "front", -90, 0 }, { "right", 0, 0 },  { "back", 90, 0 },
        { "left", 180, 0 },  { "top", -90, 90 },
    };
    const char *text = cli_value(args, "view");
    if (!text) return true;
    for (size_t k = 0; k < sizeof sides / sizeof *sides; k++)
        if (strcmp(text, sides[k].name) == 0) {
            options->azimuth = sides[k].azimuth;
            options->elevation = sides[k].elevation;
            return true;
        }
    int used = 0;
    double azimuth, elevation;
    if (sscanf(text, "%lf,%lf%n", &azimuth, &elevation, &used) != 2 || text[used] ||
        !(fabs(azimuth) <= 360) || !(fabs(elevation) <= 90)) {
        cli_wrong_use(args,
                      "--view wants front, right, back, left, top or two angles in degrees, the "
                      "second from -90 to 90, got \"%s\"",
                      text);
        return false;
    }
    options->azimuth = azimuth;
    options->elevation = elevation;
    return true;
}

static bool read_layers(const cli_args *args, const char *text, show_bodies_options *options) {
    while (*text) {
        size_t length = strcspn(text, ",");
        if (length == 6 && memcmp(text, "forces", length) == 0) {
            options->forces = true;
        } else if (length == 10 && memcmp(text, "velocities", length) == 0) {
            options->velocities = true;
        } else if (length == 7 && memcmp(text, "numbers", length) == 0) {
            options->numbers = true;
        } else if (length == 6 && memcmp(text, "thrust", length) == 0) {
            options->thrust = true;
        } else {
            cli_wrong_use(args, "--with wants forces, thrust, velocities or numbers, got \"%.*s\"",
                          (int)length, text);
            return false;
        }
        text += length + (text[length] == ',');
    }
    return true;
}

static bool read_colour(const cli_args *args, const char *text, show_bodies_options *options) {
    static const char *const colours[] = { "group", "birth", "speed", "stress" };
    for (int k = 0; k < 4; k++)
        if (strcmp(text, colours[k]) == 0) {
            options->colour = (show_colouring)k;
            return true;
        }
    cli_wrong_use(args, "--colour wants group, birth, speed or stress, got \"%s\"", text);
    return false;
}

static bool read_born(const cli_args *args, show_bodies_options *options) {
    int numbers;
    if (!cli_numbers(args, "born", &options->layer[0][0], 2, 2 * SHOW_LAYERS_MOST, &numbers))
        return false;
    options->layers = numbers / 2;
    bool fine = numbers % 2 == 0;
    for (int k = 0; k < options->layers; k++) fine &= options->layer[k][0] <= options->layer[k][1];
    if (!fine)
        cli_wrong_use(args, "--born wants pairs of times, the earlier one first, got \"%s\"",
                      cli_value(args, "born"));
    return fine;
}

bool cli_read_style(const cli_args *args, show_bodies_options *options) {
    const char *colour = cli_value(args, "colour"), *layers = cli_value(args, "with");
    return cli_read_view(args, options) && read_born(args, options) &&
           cli_numbers(args, "region", options->region, 4, 6, &options->region_numbers) &&
           (!colour || read_colour(args, colour, options)) &&
           (!layers || read_layers(args, layers, options));
}
