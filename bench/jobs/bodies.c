// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// bodies.c - the bodies of a scene as one JSON object, for rivals that read Python.
// in: SCENE [PATH=VALUE]...   out: step, duration, gravity, bodies with their shapes, the law of
// the first free body with another one and with each body that does not move freely.

#include <scree/scree.h>
#include <stdio.h>

static void numbers(const char *key, const double *x, int count) {
    printf("\"%s\": [", key);
    for (int i = 0; i < count; i++) printf("%s%.17g", i ? ", " : "", x[i]);
    printf("]");
}

static void show_shape(const scree_shape *shape, int space) {
    printf("{\"kind\": \"%s\", \"radius\": %.17g, ", scree_shape_kind_name(shape->kind),
           shape->radius);
    numbers("at", shape->at, space);
    printf(", ");
    numbers("turn", shape->turn, 4);
    printf(", ");
    numbers("normal", shape->normal, space);
    printf(", ");
    numbers("size", shape->size, space);
    printf(", ");
    numbers("vertex", shape->vertex, shape->vertices * space);
    printf(", \"triangle\": [");
    for (int i = 0; i < 3 * shape->triangles; i++)
        printf("%s%d", i ? ", " : "", shape->triangle[i]);
    printf("]}");
}

static bool is_free(const scree_body *body) { return !body->fixed && !body->driven; }

static void show_body(const scree_model *model, int i, int one) {
    const scree_body *body = &model->body[i];
    int other = one != i ? one : i + 1 < model->bodies ? i + 1 : i - 1;
    const scree_law *law = scree_model_law(model, i, other);
    printf("{\"name\": \"%s\", \"free\": %s, \"driven\": %s, \"mass\": %.17g, ", body->name,
           is_free(body) ? "true" : "false", body->driven ? "true" : "false", body->mass);
    numbers("tensor", body->tensor, 6);
    printf(", ");
    numbers("position", body->position, 3);
    printf(", ");
    numbers("orientation", body->orientation, 4);
    printf(", ");
    numbers("velocity", body->velocity, 3);
    printf(", ");
    numbers("angular", body->angular, 3);
    printf(", \"born\": %.17g, \"removed\": %.17g, \"friction\": %.17g, \"restitution\": %.17g, ",
           body->birth_time, body->removal_time, law->friction, law->restitution);
    printf("\"rolling\": %.17g, \"shapes\": [", law->rolling);
    for (int k = 0, first = 1; k < model->shapes; k++)
        if (model->shape[k].body == i) {
            if (!first) printf(", ");
            first = 0;
            show_shape(&model->shape[k], model->space);
        }
    printf("]}");
}

int main(int argc, char **argv) {
    scree_findings findings = { 0 };
    const char *const *overrides = (const char *const *)argv + 2;
    scree_scene *scene =
        argc > 1 ? scree_scene_load(argv[1], overrides, argc - 2, &findings) : NULL;
    scree_model *model = scene && !findings.count ? scree_model_from_scene(scene, &findings) : NULL;
    if (!model) {
        fprintf(stderr, "%s\n", findings.count ? findings.item[0].text : "usage: bodies SCENE");
        return 2;
    }
    const scree_run_options *options = scree_scene_options(scene);
    int one = 0;
    while (one + 1 < model->bodies && !is_free(&model->body[one])) one++;
    printf("{\"step\": %.17g, \"duration\": %.17g, \"space\": %d, ", options->scheme.step,
           options->duration, model->space);
    numbers("gravity", model->gravity, 3);
    printf(", \"bodies\": [\n");
    for (int i = 0; i < model->bodies; i++) {
        show_body(model, i, one);
        printf("%s\n", i + 1 < model->bodies ? "," : "");
    }
    printf("]}\n");
    scree_model_free(model);
    scree_scene_free(scene);
    scree_findings_free(&findings);
    return 0;
}
