// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// The page that plays a run. In: the two script elements `run` (words) and `numbers` (arrays, show/page_data.c).
"use strict";
(async () => {
  const $ = (id) => document.getElementById(id);
  const run = JSON.parse($("run").textContent);
  const planar = run.space === 2;
  document.title = run.title;
  $("title").textContent = run.title;
  $("scheme").textContent = run.scheme;
  $("scene").textContent = run.scene;
  $("stopped").hidden = !run.stopped;
  $("stopped").textContent = "stopped: " + run.stopped;
  fillTable($("summary"), run.summary);
  const verdict = run.summary[0][1];
  $("verdict").textContent = verdict;
  $("verdict").className = verdict === "good" ? "good" : "doubt";
  $("energy").textContent = `Energy [${run.units.J}]`;
  const inUnit = (si) => " " + run.units[si];

  function fillTable(table, rows) {
    table.replaceChildren(...rows.map(([name, value]) => {
      const row = document.createElement("tr");
      for (const text of [name, value]) {
        const cell = document.createElement("td");
        cell.textContent = text;
        row.append(cell);
      }
      return row;
    }));
  }

  function refuse(text) {
    $("problem").hidden = false;
    $("problem").textContent = text;
  }

  // ---- numbers

  async function inflate(text) {
    const letters = atob(text), packed = new Uint8Array(letters.length);
    for (let i = 0; i < packed.length; i++) packed[i] = letters.charCodeAt(i);
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  // bytes of the same place of all numbers stand together
  function unpack(bytes) {
    const types = { u8: Uint8Array, u16: Uint16Array, i32: Int32Array, f32: Float32Array, f64: Float64Array };
    const arrays = {};
    for (const [name, type, offset, count] of run.arrays) {
      const array = new types[type](count), own = new Uint8Array(array.buffer), size = array.BYTES_PER_ELEMENT;
      if (size === 2)  // most of a page
        for (let i = 0, low = offset, high = offset + count; i < count; i++) array[i] = bytes[low + i] | (bytes[high + i] << 8);
      else
        for (let k = 0; k < size; k++)
          for (let i = 0, from = offset + k * count; i < count; i++) own[i * size + k] = bytes[from + i];
      arrays[name] = array;
    }
    return arrays;
  }

  // differences with folded signs -> counts of the scale
  function unfold(track, frames) {
    for (let first = 0; first < track.length; first += frames)
      for (let i = first, value = 0; i < first + frames; i++) track[i] = value += (track[i] >>> 1) ^ -(track[i] & 1);
  }

  let data;
  try {
    data = unpack(await inflate($("numbers").textContent));
  } catch (error) {
    return refuse("The numbers of this page cannot be read: " + error.message);
  }
  const frames = data.time.length, bodies = run.bodies.length, movers = data.mover.length;
  for (const name of ["place", "turn", "node", "anchor", "speed"]) unfold(data[name], frames);
  const moverOf = new Int32Array(bodies).fill(-1);
  data.mover.forEach((body, m) => { moverOf[body] = m; });
  const placeChannels = planar ? 2 : 3, turnChannels = run.channels - placeChannels;

  const track = (name, i, f) => data[name + "_base"][i] + data[name + "_scale"][i] * data[name][i * frames + f];
  const between = (name, i, f, g, share) => {
    const from = track(name, i, f);
    return share > 0 ? from + share * (track(name, i, g) - from) : from;
  };

  // x y z w i j k of a body at state f, with a share of the way to the next one
  function pose(body, f, share, out) {
    const m = moverOf[body], g = Math.min(f + 1, frames - 1);
    for (let k = 0; k < 7; k++) out[k] = data.body_rest[7 * body + k];
    if (m < 0) return out;
    for (let c = 0; c < placeChannels; c++) out[c] = between("place", c * movers + m, f, g, share);
    if (planar) {
      const angle = between("turn", m, f, g, share);
      out[2] = 0;
      out[3] = Math.cos(angle / 2);
      out[6] = Math.sin(angle / 2);
    } else if (turnChannels) {
      let square = 0;
      for (let c = 0; c < 4; c++) {
        out[3 + c] = between("turn", c * movers + m, f, g, share);
        square += out[3 + c] ** 2;
      }
      for (let c = 0; c < 4; c++) out[3 + c] /= Math.sqrt(square) || 1;
    }
    return out;
  }

  const isThere = (body, f) => {
    const time = data.time[f], gone = data.body_removed[body];
    return time >= data.body_born[body] - 1e-12 && (gone === 0 || time < gone);
  };

  // as stored; where a page has too many bodies for that, the mean since the state before
  const exact = data.speed.length > 0;
  function velocity(body, f) {
    if (exact && moverOf[body] >= 0) return [0, 1, 2].map((k) => (k < run.space ? track("speed", k * movers + moverOf[body], f) : 0));
    const a = pose(body, Math.max(f - 1, 0), 0, []), b = pose(body, f, 0, []);
    const h = data.time[f] - data.time[Math.max(f - 1, 0)];
    return [0, 1, 2].map((k) => (h > 0 ? (b[k] - a[k]) / h : 0));
  }

  function contact(i) {
    const three = (name) => Array.from(data[name].subarray(3 * i, 3 * i + 3));
    return { index: i, a: data.contact_a[i], b: data.contact_b[i],
      status: ["inactive", "open", "stick", "slip"][data.contact_status[i]],
      point: three("contact_point"), normal: three("contact_normal").map((n) => n / 32767 - 1), force: three("contact_force"),
      normalForce: data.contact_normal_force[i], gap: data.contact_gap[i], friction: data.contact_friction[i], size: data.contact_size[i],
      normalVelocity: data.contact_velocity[2 * i], slipVelocity: data.contact_velocity[2 * i + 1] };
  }
  const contactsOf = (f) => {
    const list = [];
    for (let i = data.contact_first[f]; i < data.contact_first[f + 1]; i++) list.push(contact(i));
    return list;
  };

  // ---- vectors

  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const unit = (a) => { const l = Math.sqrt(dot(a, a)) || 1; return [a[0] / l, a[1] / l, a[2] / l]; };
  const along = (a, s, b) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];

  // ---- drawing

  const canvas = $("view");
  // smooth edges cost four samples a pixel, and thousands of balls have little of them
  const gl = canvas.getContext("webgl2", { antialias: data.ball_body.length < 3000, preserveDrawingBuffer: true });
  if (!gl) return refuse("This browser has no WebGL 2: the picture cannot be drawn. The tables beside it are complete.");
  const head = "#version 300 es\nprecision highp float; precision highp int; precision highp sampler2D;\n";
  const shared = `
    uniform mat4 view, project; uniform sampler2D poses, paints; uniform int wide; uniform bool picking;
    vec4 texel(sampler2D t, int i) { return texelFetch(t, ivec2(i % wide, i / wide), 0); }
    vec3 turn(vec4 q, vec3 v) { return v + 2.0 * cross(q.yzw, cross(q.yzw, v) + q.x * v); }
    vec3 place(int body, vec3 X) { return texel(poses, 2 * body).xyz + turn(texel(poses, 2 * body + 1), X); }
    vec4 paint(int body) { return texel(paints, body); }
    vec2 corner() { return vec2(gl_VertexID & 1, (gl_VertexID >> 1) & 1) * 2.0 - 1.0; }
    vec3 code(int body) { int n = body + 1; return vec3(float(n & 255), float((n >> 8) & 255), float((n >> 16) & 255)) / 255.0; }`;
  const ballVertex = head + shared + `
    in vec4 ball; in int body; uniform float least; uniform bool planar; out vec3 at; out vec2 on;
    flat out vec3 middle; flat out float radius; flat out vec3 rgb; flat out vec4 q;
    void main() {
      vec4 colour = paint(body); q = texel(poses, 2 * body + 1); vec2 c = corner();
      middle = (view * vec4(place(body, ball.xyz), 1)).xyz;
      radius = ball.w > 0.0 ? max(ball.w, least) : 2.2 * least; rgb = picking ? code(body) : colour.rgb;
      // a square across the ray to its middle, as large as the ball's outline
      float far = length(middle); vec3 back = middle / far, side = normalize(vec3(-back.z, 0.0, back.x));
      float wide = planar ? 1.0 : 1.005 * far / sqrt(max(far * far - radius * radius, 1e-6 * far * far));
      at = planar ? middle + vec3(radius * c, 0.0) : middle + wide * radius * (c.x * side + c.y * cross(side, back));
      on = c;
      gl_Position = colour.a > 0.0 ? project * vec4(at, 1) : vec4(2, 2, 2, 1);
    }`;
  const ballFragment = head + `
    uniform mat4 view, project; uniform bool planar, picking, turns; uniform float pixel;
    in vec3 at; in vec2 on; flat in vec3 middle; flat in float radius; flat in vec3 rgb; flat in vec4 q; out vec4 colour;
    vec3 turn(vec4 p, vec3 v) { return v + 2.0 * cross(p.yzw, cross(p.yzw, v) + p.x * v); }
    void main() {
      if (planar) {
        float far = length(on); if (far > 1.0) discard;
        float rim = step(1.0 - 1.6 * pixel / radius, far); vec2 d = turn(q, vec3(1, 0, 0)).xy;
        float hand = step(abs(d.x * on.y - d.y * on.x), 0.9 * pixel / radius) * step(0.0, dot(d, on));
        float dark = picking ? 0.0 : max(rim, hand) * 0.65;
        colour = vec4(rgb * (1.0 - dark), 1); gl_FragDepth = gl_FragCoord.z; return;
      }
      vec3 ray = normalize(at); float b = dot(ray, middle), c = dot(middle, middle) - radius * radius, s = b * b - c;
      if (s < 0.0) discard;
      vec3 hit = (b - sqrt(s)) * ray, n = (hit - middle) / radius;
      gl_FragDepth = 0.5 * (project[2][2] * hit.z + project[3][2]) / -hit.z + 0.5;
      float quarter = 1.0;
      if (turns) {
        vec3 own = turn(vec4(q.x, -q.yzw), transpose(mat3(view)) * n);
        if (own.x * own.y * own.z > 0.0) quarter = 0.86;
      }
      float light = 0.42 + 0.58 * max(dot(n, normalize(vec3(-0.41, 0.51, 0.76))), 0.0);
      colour = vec4(picking ? rgb : rgb * light * quarter, 1);
    }`;
  const meshVertex = head + shared + `
    in vec3 point; in int body; uniform float nearer; out vec3 at; flat out vec3 rgb; flat out float even;
    void main() {
      int own = body < 0 ? -1 - body : body; vec4 colour = paint(own); even = body < 0 ? 0.7 : 0.0;
      vec4 seen = view * vec4(place(own, point), 1); at = seen.xyz;
      rgb = picking ? code(own) : body < 0 ? mix(colour.rgb, vec3(1), 0.25) : colour.rgb;
      gl_Position = colour.a > 0.0 ? project * seen : vec4(2, 2, 2, 1); gl_Position.z -= nearer * gl_Position.w;
    }`;
  const meshFragment = head + `
    uniform bool planar, picking; uniform float edge; in vec3 at; flat in vec3 rgb; flat in float even; out vec4 colour;
    void main() {
      vec3 n = normalize(cross(dFdx(at), dFdy(at)));
      float light = planar || picking ? 1.0 : 0.42 + 0.58 * max(dot(n, normalize(vec3(-0.41, 0.51, 0.76))), 0.0);
      colour = vec4(picking ? rgb : rgb * (edge > 0.0 ? edge : mix(light, 0.95, even)), 1);  // what has no end is no dark wall
    }`;
  const plainVertex = head + `
    uniform mat4 view, project; in vec3 point; in vec4 paint; out vec3 at; flat out vec3 rgb; flat out float even;
    void main() { even = 0.0; vec4 seen = view * vec4(point, 1); at = seen.xyz; rgb = paint.rgb; gl_Position = project * seen; }`;
  const bandVertex = head + `
    uniform mat4 view, project; uniform vec2 size; uniform float fine; in vec3 from, to; in vec4 paint; out vec3 at; flat out vec3 rgb;
    void main() {
      vec4 a = project * view * vec4(from, 1), b = project * view * vec4(to, 1);
      vec2 d = normalize((b.xy / b.w - a.xy / a.w) * size + vec2(1e-9, 0)), side = vec2(-d.y, d.x);
      float across = (gl_VertexID & 2) == 0 ? -1.0 : 1.0;
      vec4 p = (gl_VertexID & 1) == 0 ? a : b; p.xy += across * paint.a * fine * side / size * 2.0 * p.w; p.z -= 2e-3 * p.w;
      gl_Position = p; at = vec3(0); rgb = paint.rgb;
    }`;
  const bandFragment = head + "in vec3 at; flat in vec3 rgb; out vec4 colour; void main() { colour = vec4(rgb, 1); }";

  function program(vertex, fragment) {
    const made = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
    const places = new Map();
    return { made, at(name) {
      if (!places.has(name)) places.set(name, gl.getUniformLocation(made, name));
      return places.get(name);
    } };
  }

  const buffer = (content, usage = gl.STATIC_DRAW) => {
    const made = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, made);
    gl.bufferData(gl.ARRAY_BUFFER, content, usage);
    return made;
  };

  // rows: name, buffer, numbers, {whole numbers, bytes, stride, offset}
  function attributes(by, rows, index) {
    const vao = gl.createVertexArray();
    gl.bindVertexArray(vao);
    for (const [name, source, size, how = {}] of rows) {
      const at = gl.getAttribLocation(by.made, name);
      if (at < 0) continue;
      gl.bindBuffer(gl.ARRAY_BUFFER, source);
      gl.enableVertexAttribArray(at);
      if (how.whole) gl.vertexAttribIPointer(at, size, gl.INT, 0, 0);
      else gl.vertexAttribPointer(at, size, how.bytes ? gl.UNSIGNED_BYTE : gl.FLOAT, !!how.bytes, how.stride || 0, how.offset || 0);
    }
    if (index) {
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, index, gl.STATIC_DRAW);
    }
    gl.bindVertexArray(null);
    return vao;
  }

  const WIDE = 1024;
  const rowsOf = (count) => Math.max(1, Math.ceil(count / WIDE));
  function texture(unitNumber) {
    const made = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0 + unitNumber);
    gl.bindTexture(gl.TEXTURE_2D, made);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
    return made;
  }

  let ballProgram, meshProgram, plainProgram, bandProgram;
  try {
    ballProgram = program(ballVertex, ballFragment);
    meshProgram = program(meshVertex, meshFragment);
    plainProgram = program(plainVertex, meshFragment);
    bandProgram = program(bandVertex, bandFragment);
  } catch (error) {
    return refuse("The picture cannot be drawn: " + error.message);
  }
  // four corners each instead of instances, of which software draws one after the other
  const balls = data.ball_body.length;
  function fourfold(array, size) {
    const made = new array.constructor(4 * array.length);
    for (let i = 0; i < made.length; i++) made[i] = array[size * Math.floor(i / (4 * size)) + i % size];
    return made;
  }
  function quadCorners(count) {
    const made = new Uint32Array(6 * count);
    for (let i = 0; i < made.length; i++) made[i] = 4 * Math.floor(i / 6) + [0, 1, 2, 2, 1, 3][i % 6];
    return made;
  }
  const ballArray = attributes(ballProgram, [["ball", buffer(fourfold(data.ball, 4)), 4],
    ["body", buffer(fourfold(data.ball_body, 1)), 1, { whole: true }]], quadCorners(balls));
  const points = buffer(data.point), pointBodies = buffer(data.point_body);
  const meshRows = [["point", points, 3], ["body", pointBodies, 1, { whole: true }]];
  const meshArray = attributes(meshProgram, meshRows, data.triangle);
  const edgeArray = attributes(meshProgram, meshRows, data.edge);
  const elastic = data.elastic_element.length;
  const elasticPoints = buffer(new Float32Array(9 * elastic), gl.DYNAMIC_DRAW);
  const elasticPaint = buffer(new Uint8Array(12 * elastic), gl.DYNAMIC_DRAW);
  const elasticArray = attributes(plainProgram, [["point", elasticPoints, 3], ["paint", elasticPaint, 4, { bytes: true }]]);
  // in the plane an elastic body has a line around it: sides that belong to one triangle
  const outline = planar ? (() => {
    const sides = new Map(), t = data.elastic_triangle, nodes = data.node_base.length;
    for (let i = 0; i < t.length; i++) {
      const a = t[i], b = t[i % 3 === 2 ? i - 2 : i + 1], key = Math.min(a, b) * nodes + Math.max(a, b);
      sides.set(key, sides.has(key) ? null : [a, b]);
    }
    return Int32Array.from([...sides.values()].filter(Boolean).flat());
  })() : new Int32Array(0);
  const outlinePoints = buffer(new Float32Array(3 * outline.length), gl.DYNAMIC_DRAW);
  const outlinePaint = buffer(new Uint8Array(4 * outline.length).map((_, i) => [38, 38, 38, 255][i % 4]));
  const outlineArray = attributes(plainProgram, [["point", outlinePoints, 3], ["paint", outlinePaint, 4, { bytes: true }]]);
  const bandBuffer = gl.createBuffer(), CONE = 24, COILS = 10, TRAIL = 400;  // parts of the rim of a cone, of a spring, of the way of a body
  // points hang on the centre of their body
  const sticks = Array.from(data.ball_body.keys()).filter((i) => data.ball[4 * i + 3] === 0 && data.ball.subarray(4 * i, 4 * i + 3).some((x) => x !== 0));
  const more = sticks.length + 2 * CONE + 1 + TRAIL + 2 * movers + (5 + COILS) * data.joint_kind.length;
  let bandsMost = more;
  for (let f = 0; f < frames; f++) bandsMost = Math.max(bandsMost, more + data.contact_first[f + 1] - data.contact_first[f]);
  const bandArray = attributes(bandProgram, [["from", bandBuffer, 3, { stride: 40, offset: 0 }],
    ["to", bandBuffer, 3, { stride: 40, offset: 12 }], ["paint", bandBuffer, 4, { stride: 40, offset: 24 }]], quadCorners(bandsMost));
  texture(0);
  const poseNumbers = new Float32Array(4 * WIDE * rowsOf(2 * bodies));
  texture(1);
  const paintNumbers = new Uint8Array(4 * WIDE * rowsOf(bodies));

  // ---- colours

  const palette = [[237, 194, 115], [102, 166, 212], [140, 199, 143], [230, 140, 115], [184, 158, 209], [217, 209, 115], [153, 153, 158]];
  const scale = [[43, 36, 97], [41, 92, 140], [43, 145, 135], [133, 194, 92], [250, 230, 92]];
  function scaled(share) {
    const at = Math.min(Math.max(share, 0), 1) * 4, k = Math.min(Math.floor(at), 3);
    return scale[k].map((c, i) => c + (at - k) * (scale[k + 1][i] - c));
  }
  const stressed = run.mises[2] > 0;  // where nothing is, bodies have colours that tell them apart
  const stressColours = Array.from({ length: 256 }, (_, i) => scaled(i / 255));
  const latest = data.body_born.reduce((a, b) => Math.max(a, b), 0) || 1;
  let fastest = 0;
  for (let s = 0; s < 40; s++)
    for (let m = 0; m < movers; m += 1 + Math.floor(movers / 2000))
      fastest = Math.max(fastest, Math.hypot(...velocity(data.mover[m], Math.floor(s * (frames - 1) / 39))));
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const rgbOf = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);
  let picked = null;

  function colourOf(body, f) {
    if (picked && picked.body === body) return [255, 80, 160];
    const kind = data.body_kind[body];
    if (kind) return rgbOf(css(kind === 1 ? "--fixed" : "--driven")).map((c) => 255 * c);
    const how = $("colour").value;
    if (how === "speed") return scaled(Math.hypot(...velocity(body, f)) / (fastest || 1));
    if (how === "birth") return scaled(data.body_born[body] / latest);
    const shade = 0.88 + 0.12 * (((body * 2654435761) >>> 0) % 1024) / 1023;
    return palette[data.body_group[body] % palette.length].map((c) => shade * c);
  }

  // ---- the camera

  const up = planar ? [0, 1, 0] : (() => {
    const g = run.gravity, k = [0, 1, 2].reduce((a, b) => (Math.abs(g[b]) > Math.abs(g[a]) ? b : a), 2);
    const axis = [0, 0, 0];
    axis[k] = g[k] > 0 ? -1 : 1;
    return axis;
  })();
  const east = Math.abs(up[0]) > 0.9 ? [0, 1, 0] : [1, 0, 0], north = cross(up, east);
  // own: somebody has chosen it, and no other size of the window changes it
  const camera = { target: [0, 0, 0], yaw: -62 * Math.PI / 180, pitch: 22 * Math.PI / 180, size: 1, own: false };
  const OPENING = 0.6, MARGIN = 14;  // radians, of the picture's height; pixels

  function frameOfCamera() {
    if (planar) return { eye: [0, 0, 1], right: [1, 0, 0], above: [0, 1, 0] };
    const c = Math.cos(camera.pitch);
    const flat = along([0, 0, 0], Math.cos(camera.yaw), east).map((x, k) => x + Math.sin(camera.yaw) * north[k]);
    const eye = along(flat.map((x) => c * x), Math.sin(camera.pitch), up);
    const right = along(north.map((x) => Math.cos(camera.yaw) * x), -Math.sin(camera.yaw), east);
    return { eye, right, above: cross(eye, right) };
  }

  // by so many pixels
  function pan(dx, dy) {
    const { right, above } = frameOfCamera(), metres = 2 * camera.size / Math.max(canvas.clientHeight, 1);
    camera.target = along(along(camera.target, -dx * metres, right), dy * metres, above);
  }

  // how far the shapes of bodies reach that move, ascending
  const moving = (() => {
    const reach = new Float64Array(bodies);
    for (let i = 0; i < balls; i++) {
      const far = Math.hypot(data.ball[4 * i], data.ball[4 * i + 1], data.ball[4 * i + 2]) + data.ball[4 * i + 3];
      reach[data.ball_body[i]] = Math.max(reach[data.ball_body[i]], far);
    }
    for (let i = 0; i < data.point_body.length; i++) {
      const body = data.point_body[i];
      if (body >= 0) reach[body] = Math.max(reach[body], Math.hypot(data.point[3 * i], data.point[3 * i + 1], data.point[3 * i + 2]));
    }
    return reach.filter((_, body) => data.body_kind[body] === 0).sort();
  })();
  const typical = moving.length ? moving[moving.length >> 1] : 0;

  // the box that is worth seeing, between the words at the top and the edges
  function fit() {
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => Array.from(data.sight.subarray(3 * i, 3 * i + 3)));
    const words = $("stopped").hidden ? document.querySelector("header") : $("stopped");
    const top = Math.min(words.offsetTop + words.offsetHeight + 6, canvas.clientHeight / 2);
    const wide = Math.max(canvas.clientWidth - 2 * MARGIN, 1), high = Math.max(canvas.clientHeight - top - MARGIN, 1);
    camera.own = false;
    camera.target = [0, 1, 2].map((k) => corners.reduce((sum, x) => sum + x[k] / 8, 0));
    camera.size = Math.hypot(...along(corners[7], -1, corners[0])) || 1;
    const bounds = () => {
      const on = corners.map(onScreen);
      return [0, 1].flatMap((k) => [Math.min(...on.map((p) => p[k])), Math.max(...on.map((p) => p[k]))]);
    };
    // in space what is nearer than the middle is larger, so that it takes a few steps
    for (let step = 0; step < (planar ? 1 : 12); step++) {
      let [x0, x1, y0, y1] = bounds();
      camera.size *= Math.max((x1 - x0) / wide, (y1 - y0) / high) || 1;
      [x0, x1, y0, y1] = bounds();
      pan(MARGIN + wide / 2 - (x0 + x1) / 2, top + high / 2 - (y0 + y1) / 2);
    }
  }

  function matrices() {
    const { eye, right, above } = frameOfCamera(), aspect = canvas.clientWidth / Math.max(canvas.clientHeight, 1) || 1;
    const far = planar ? 0 : camera.size / Math.tan(OPENING / 2), at = along(camera.target, far, eye);
    const view = [right[0], above[0], eye[0], 0, right[1], above[1], eye[1], 0, right[2], above[2], eye[2], 0,
      -dot(right, at), -dot(above, at), -dot(eye, at), 1];
    const s = camera.size, near = far / 50, deep = far * 20, f = 1 / Math.tan(OPENING / 2);
    const project = planar ? [1 / (s * aspect), 0, 0, 0, 0, 1 / s, 0, 0, 0, 0, -1e-3, 0, 0, 0, 0, 1]
      : [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, -(deep + near) / (deep - near), -1, 0, 0, -2 * deep * near / (deep - near), 0];
    return { view, project };
  }

  function onScreen(x) {
    const { view, project } = matrices(), p = [0, 1, 2].map((r) => view[r] * x[0] + view[4 + r] * x[1] + view[8 + r] * x[2] + view[12 + r]);
    const w = planar ? 1 : -p[2];
    return [(project[0] * p[0] / w + 1) / 2 * canvas.clientWidth, (1 - project[5] * p[1] / w) / 2 * canvas.clientHeight, w];
  }

  // ---- one picture

  let frame = 0, share = 0, bands = 0, coarse = 1;

  function loadBodies() {
    const p = new Float64Array(7), obstacles = $("obstacles").checked;
    for (let b = 0; b < bodies; b++) {
      pose(b, frame, share, p);
      for (let k = 0; k < 3; k++) poseNumbers[8 * b + k] = p[k];
      for (let k = 3; k < 7; k++) poseNumbers[8 * b + k + 1] = p[k];
      const seen = isThere(b, frame) && (obstacles || data.body_kind[b] !== 1), colour = colourOf(b, frame);
      for (let k = 0; k < 3; k++) paintNumbers[4 * b + k] = colour[k];
      paintNumbers[4 * b + 3] = seen ? 255 : 0;
    }
    gl.activeTexture(gl.TEXTURE0);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, WIDE, rowsOf(2 * bodies), 0, gl.RGBA, gl.FLOAT, poseNumbers);
    gl.activeTexture(gl.TEXTURE1);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, WIDE, rowsOf(bodies), 0, gl.RGBA, gl.UNSIGNED_BYTE, paintNumbers);
  }

  function loadElastic() {
    if (!elastic) return;
    const n = data.node_base.length / run.space, x = new Float32Array(9 * elastic), paint = new Uint8Array(12 * elastic);
    const { node, node_base: base, node_scale: size } = data;
    for (let t = 0; t < elastic; t++) {
      const colour = stressed ? stressColours[data.mises[data.elastic_element[t] * frames + frame]] : palette[data.elastic_owner[t] % palette.length];
      for (let c = 0; c < 3; c++) {
        const from = data.elastic_triangle[3 * t + c];
        for (let k = 0, i = from; k < run.space; k++, i += n) x[9 * t + 3 * c + k] = base[i] + size[i] * node[i * frames + frame];
        for (let k = 0; k < 3; k++) paint[12 * t + 4 * c + k] = colour[k];
        paint[12 * t + 4 * c + 3] = 255;
      }
    }
    const around = new Float32Array(3 * outline.length);
    outline.forEach((from, j) => {
      for (let k = 0, i = from; k < run.space; k++, i += n) around[3 * j + k] = base[i] + size[i] * node[i * frames + frame];
    });
    gl.bindBuffer(gl.ARRAY_BUFFER, outlinePoints);
    gl.bufferData(gl.ARRAY_BUFFER, around, gl.DYNAMIC_DRAW);
    gl.bindBuffer(gl.ARRAY_BUFFER, elasticPoints);
    gl.bufferData(gl.ARRAY_BUFFER, x, gl.DYNAMIC_DRAW);
    gl.bindBuffer(gl.ARRAY_BUFFER, elasticPaint);
    gl.bufferData(gl.ARRAY_BUFFER, paint, gl.DYNAMIC_DRAW);
  }

  // the anchor of a joint, which is given at the start
  const turned = (q, s, v) => {
    const axis = [s * q[4], s * q[5], s * q[6]], once = cross(axis, v);
    return along(along(v, 2 * q[3], once), 2, cross(axis, once));
  };
  function anchorOf(joint, side, f) {
    const at = Array.from(data.joint_anchor.subarray(6 * joint + 3 * side, 6 * joint + 3 * side + 3)), body = data.joint_body[2 * joint + side];
    if (body < -1) return [0, 1, 2].map((c) => between("anchor", 3 * (-2 - body) + c, f, Math.min(f + 1, frames - 1), share));  // on a marker
    if (body < 0) return at;
    const then = data.body_rest.subarray(7 * body, 7 * body + 7), now = pose(body, f, share, []);
    return along(now, 1, turned(now, 1, turned(then, -1, along(at, -1, then))));
  }

  // bodies that have joints and points alone are bars from the centre to the anchors
  const shaped = new Set([...data.ball_body.filter((_, i) => data.ball[4 * i + 3] > 0), ...data.point_body]);

  function addSticks(list) {
    const soft = rgbOf(css("--soft"));
    for (const i of sticks) {
      const body = data.ball_body[i], now = pose(body, frame, share, []);
      if (isThere(body, frame)) list.push(...now.slice(0, 3), ...along(now, 1, turned(now, 1, data.ball.subarray(4 * i, 4 * i + 3))), ...soft, 1);
    }
  }

  // the way of the centre of the picked body, as far as the run has come and beyond
  function addTrail(list) {
    if (!picked || picked.body === undefined || moverOf[picked.body] < 0) return;
    const stride = Math.ceil((frames - 1) / TRAIL) || 1, pink = [1, 0.31, 0.63];
    for (let f = 0; f < frames - 1; f += stride) {
      const g = Math.min(f + stride, frames - 1);
      if (isThere(picked.body, f) && isThere(picked.body, g))
        list.push(...pose(picked.body, f, 0, []).slice(0, 3), ...pose(picked.body, g, 0, []).slice(0, 3), ...pink, g <= frame ? 0.9 : 0.4);
    }
  }

  // arrows from the centres; the longest of the run is as long as a sixth of the picture is high
  function addVelocities(list) {
    if (!$("velocities").checked) return;
    const ink = rgbOf(css("--ink")), length = camera.size / 3 / (fastest || 1);
    for (const body of data.mover) {
      const v = velocity(body, frame), speed = Math.hypot(...v);
      if (!isThere(body, frame) || !(speed > 0.01 * fastest)) continue;
      const from = pose(body, frame, share, []).slice(0, 3), head = Math.min(0.3 * speed * length, 0.03 * camera.size);
      const tip = along(from, length, v);
      list.push(...from, ...tip, ...ink, 0.7, ...along(tip, -head / speed, v), ...tip, ...ink, 2);
    }
  }

  // a line between the anchors of a joint, zigzag if it is a spring, and a mark at each, larger at a motor
  function addJoints(list) {
    const ink = rgbOf(css("--ink")), soft = rgbOf(css("--soft")), pixel = 2 * camera.size / canvas.clientHeight;
    const { eye, right } = frameOfCamera();
    data.joint_kind.forEach((kind, j) => {
      const ends = [0, 1].map((side) => anchorOf(j, side, frame)), spring = kind === 1;
      const size = Math.min((kind === 2 ? 4.5 : 2.5) * pixel, typical > 0 ? 0.3 * typical : Infinity);  // chains have small links
      ends.forEach((x, side) => {
        const body = data.joint_body[2 * j + side];
        if (body >= 0 && !shaped.has(body)) list.push(...pose(body, frame, share, []).slice(0, 3), ...x, ...soft, 2);
      });
      const way = along(ends[1], -1, ends[0]), across = unit(cross(eye, way));
      let last = ends[0];
      for (let k = 1; k <= (spring ? COILS : 1); k++) {
        const parts = spring ? COILS : 1, side = k === parts || k === 1 ? 0 : k % 2 ? -5 * pixel : 5 * pixel;
        const next = along(along(ends[0], k / parts, way), side, across);
        list.push(...last, ...next, ...ink, 0.7);
        last = next;
      }
      for (const x of ends) list.push(...along(x, -size, right), ...along(x, size, right), ...ink, size / pixel);
    });
  }

  // forces as bands through their points; the cone of friction of a picked contact as lines
  function loadBands() {
    const list = [], tint = { stick: rgbOf(css("--stick")), slip: rgbOf(css("--slip")), open: rgbOf(css("--open")), inactive: rgbOf(css("--open")) };
    const own = contactsOf(frame), sizes = own.map((c) => Math.hypot(...c.force));
    const mean = sizes.reduce((a, b) => a + b, 0) / (sizes.filter((s) => s > 0).length || 1);
    const most = Math.min(sizes.reduce((a, b) => Math.max(a, b), 0), 5 * mean) || 1;
    const reach = typical > 0 ? Math.min(0.04 * camera.size, 0.6 * typical) : 0.04 * camera.size;
    if ($("forces").checked)
      own.forEach((c, i) => {
        const strength = Math.min(sizes[i] / most, 1), half = c.size > 0 ? c.size : reach;
        const way = sizes[i] > 0 ? unit(c.force) : c.normal, length = sizes[i] > 0 ? half : 0.1 * half;
        const pixels = half / camera.size * canvas.clientHeight / 2;
        list.push(...along(c.point, -length, way), ...along(c.point, length, way), ...tint[c.status],
          Math.min(0.8 + 4.5 * strength, Math.max(0.15 * pixels, 0.6)));
      });
    if (picked && picked.contact !== undefined && picked.contact >= data.contact_first[frame] && picked.contact < data.contact_first[frame + 1]) {
      const c = contact(picked.contact), n = unit(c.normal), length = 0.1 * camera.size;
      const t = unit(Math.abs(n[0]) < 0.8 ? cross(n, [1, 0, 0]) : cross(n, [0, 1, 0])), b = cross(n, t);
      const foot = along(c.point, length, n), pink = [1, 0.31, 0.63];
      const rim = Array.from({ length: planar ? 2 : CONE }, (_, k) => {
        const angle = 2 * Math.PI * k / CONE;
        const side = planar ? [k ? n[1] : -n[1], k ? -n[0] : n[0], 0] : along(t.map((x) => Math.cos(angle) * x), Math.sin(angle), b);
        return along(foot, c.friction * length, side);
      });
      rim.forEach((x, k) => {
        if (planar || k % 4 === 0) list.push(...c.point, ...x, ...pink, 0.7);
        if (!planar) list.push(...x, ...rim[(k + 1) % CONE], ...pink, 0.9);
      });
      // the force in it, as far as the cone goes: on the rim if it slips
      if (c.normalForce > 0) list.push(...c.point, ...along(c.point, length / c.normalForce, c.force), ...tint[c.status], 1.6);
    }
    addSticks(list);
    addJoints(list);
    addTrail(list);
    addVelocities(list);
    bands = list.length / 10;
    gl.bindBuffer(gl.ARRAY_BUFFER, bandBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, fourfold(new Float32Array(list), 10), gl.DYNAMIC_DRAW);
    $("most").textContent = `${own.length} contact${own.length === 1 ? "" : "s"}, largest ${sizes.reduce((a, b) => Math.max(a, b), 0).toPrecision(3)}${inUnit("N")}`;
  }

  function use(by, picking) {
    const { view, project } = matrices();
    gl.useProgram(by.made);
    gl.uniformMatrix4fv(by.at("view"), false, view);
    gl.uniformMatrix4fv(by.at("project"), false, project);
    gl.uniform1i(by.at("poses"), 0);
    gl.uniform1i(by.at("paints"), 1);
    gl.uniform1i(by.at("wide"), WIDE);
    gl.uniform1i(by.at("planar"), planar ? 1 : 0);
    gl.uniform1i(by.at("picking"), picking ? 1 : 0);
    gl.uniform1i(by.at("turns"), turnChannels ? 1 : 0);
    gl.uniform1f(by.at("edge"), 0);
    gl.uniform1f(by.at("nearer"), 0);
    const pixel = 2 * camera.size / canvas.height;
    gl.uniform1f(by.at("pixel"), pixel);
    gl.uniform1f(by.at("least"), 1.5 * pixel);
    gl.uniform2f(by.at("size"), canvas.width, canvas.height);
    gl.uniform1f(by.at("fine"), canvas.width / Math.max(canvas.clientWidth, 1));
  }

  function paintBodies(picking) {
    if (planar) gl.disable(gl.CULL_FACE); else gl.enable(gl.CULL_FACE);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    use(meshProgram, picking);
    gl.bindVertexArray(meshArray);
    gl.drawElements(gl.TRIANGLES, data.triangle.length, gl.UNSIGNED_INT, 0);
    if (!picking && $("edges").checked) {
      gl.uniform1f(meshProgram.at("edge"), Number(css("--edge")));
      gl.uniform1f(meshProgram.at("nearer"), planar ? 0 : 2e-4);
      gl.bindVertexArray(edgeArray);
      gl.drawElements(gl.LINES, data.edge.length, gl.UNSIGNED_INT, 0);
    }
    if (elastic) {
      gl.disable(gl.CULL_FACE);
      use(plainProgram, picking);
      gl.bindVertexArray(elasticArray);
      gl.drawArrays(gl.TRIANGLES, 0, 3 * elastic);
      if (!picking && $("edges").checked) {
        gl.bindVertexArray(outlineArray);
        gl.drawArrays(gl.LINES, 0, outline.length);
      }
    }
    gl.disable(gl.CULL_FACE);
    use(ballProgram, picking);
    gl.bindVertexArray(ballArray);
    gl.drawElements(gl.TRIANGLES, 6 * balls, gl.UNSIGNED_INT, 0);
  }

  function paintAll() {
    const ratio = (window.devicePixelRatio || 1) / coarse;
    const width = Math.max(1, Math.round(canvas.clientWidth * ratio)), height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    gl.viewport(0, 0, width, height);
    gl.clearColor(...rgbOf(css("--sky")), 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    paintBodies(false);
    if (bands) {
      if (planar) gl.disable(gl.DEPTH_TEST);
      use(bandProgram, false);
      gl.bindVertexArray(bandArray);
      gl.drawElements(gl.TRIANGLES, 6 * bands, gl.UNSIGNED_INT, 0);
    }
    gl.bindVertexArray(null);
  }

  function bodyAt(x, y) {
    const buffers = gl.createFramebuffer(), colour = gl.createRenderbuffer(), depth = gl.createRenderbuffer(), pixel = new Uint8Array(4);
    gl.bindFramebuffer(gl.FRAMEBUFFER, buffers);
    for (const [own, format, where] of [[colour, gl.RGBA8, gl.COLOR_ATTACHMENT0], [depth, gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT]]) {
      gl.bindRenderbuffer(gl.RENDERBUFFER, own);
      gl.renderbufferStorage(gl.RENDERBUFFER, format, canvas.width, canvas.height);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, where, gl.RENDERBUFFER, own);
    }
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    // triangles of elastic bodies are counted behind the bodies; the next picture has their colours again
    const numbers = new Uint8Array(12 * elastic).map((_, i) => (i % 4 < 3 ? ((bodies + Math.floor(i / 12) + 1) >> (8 * (i % 4))) & 255 : 255));
    gl.bindBuffer(gl.ARRAY_BUFFER, elasticPaint);
    gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.DYNAMIC_DRAW);
    paintBodies(true);
    due = true;
    const ratio = canvas.width / canvas.clientWidth;
    gl.readPixels(Math.round(x * ratio), canvas.height - 1 - Math.round(y * ratio), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.deleteFramebuffer(buffers);
    gl.deleteRenderbuffer(colour);
    gl.deleteRenderbuffer(depth);
    return pixel[0] + 256 * pixel[1] + 65536 * pixel[2] - 1;
  }

  function contactAt(x, y) {
    let best = -1, least = 8;
    for (let i = data.contact_first[frame]; $("forces").checked && i < data.contact_first[frame + 1]; i++) {
      const at = onScreen(data.contact_point.subarray(3 * i, 3 * i + 3)), far = Math.hypot(at[0] - x, at[1] - y);
      if (far < least) [best, least] = [i, far];
    }
    return best;
  }

  // ---- a rule and the axes over the picture

  const over = $("over"), RULE = 110;  // pixels that the rule may have
  function drawOver() {
    const ratio = window.devicePixelRatio || 1, pen = over.getContext("2d"), wide = over.clientWidth, high = over.clientHeight;
    [over.width, over.height] = [Math.round(wide * ratio), Math.round(high * ratio)];
    pen.scale(ratio, ratio);
    pen.font = "11px system-ui, sans-serif";
    pen.strokeStyle = pen.fillStyle = css("--ink");
    const metres = 2 * camera.size / Math.max(canvas.clientHeight, 1), most = RULE * metres, power = 10 ** Math.floor(Math.log10(most));
    const length = power * (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1), pixels = length / metres, y = high - 8;
    const words = `${digits(length)}${inUnit("m")}${planar ? "" : " in the middle"}`;
    pen.save();
    pen.fillStyle = css("--sky");
    pen.globalAlpha = 0.78;
    pen.fillRect(4, y - 20, Math.max(pixels, pen.measureText(words).width) + 12, 26);
    pen.restore();
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (const [x, up] of [[10, 4], [10, 0], [10 + pixels, 0], [10 + pixels, 4]]) pen.lineTo(x, y - up);
    pen.stroke();
    pen.fillText(words, 10, y - 8);
    const { right, above, eye } = frameOfCamera(), foot = [wide - 34, high - 34], arm = 22;
    const axes = [0, 1, 2].slice(0, run.space).sort((a, b) => eye[a] - eye[b]);  // the nearest last
    for (const k of axes) {
      const tip = [foot[0] + arm * right[k], foot[1] - arm * above[k]], short = Math.hypot(right[k], above[k]) < 0.15;
      pen.lineWidth = 1.2;
      pen.beginPath();
      pen.moveTo(...foot);
      pen.lineTo(...tip);
      pen.stroke();
      pen.fillText("xyz"[k], foot[0] + (short ? 5 : 1.35 * arm * right[k]) - 3, foot[1] - (short ? -11 : 1.35 * arm * above[k]) + 4);
    }
  }

  // ---- words beside it

  const digits = (x) => {
    if (!Number.isFinite(x) || x === 0 || Math.abs(x) >= 1e-3) return String(Number(x.toPrecision(6)));
    return x.toExponential(5).replace(/\.?0+e/, "e");
  };
  const list = (x) => x.slice(0, run.space).map(digits).join(", ");
  const nameOf = (i) => (i < bodies ? run.bodies[i] : run.elastics[i - bodies]) ?? `contact ${-2 - i}`;

  function describe() {
    if (!picked) return;
    if (picked.contact !== undefined) {
      if (picked.contact < data.contact_first[frame] || picked.contact >= data.contact_first[frame + 1])
        return fillTable($("picked"), [["contact", "not in this state"]]);
      const c = contact(picked.contact), force = Math.hypot(...c.force);
      return fillTable($("picked"), [["contact", `${nameOf(c.a)} on ${nameOf(c.b)}`], ["status", c.status], ["gap", digits(c.gap) + inUnit("m")],
        ["approach", short(-c.normalVelocity) + inUnit("m/s")], ["slip", short(c.slipVelocity) + inUnit("m/s")],
        ["normal force", digits(c.normalForce) + inUnit("N")], ["tangential", digits(Math.sqrt(Math.max(force ** 2 - c.normalForce ** 2, 0))) + inUnit("N")],
        ["friction", digits(c.friction)], ["force", list(c.force) + inUnit("N")], ["point", list(c.point) + inUnit("m")], ["normal", list(c.normal)]]);
    }
    if (picked.triangle !== undefined) return describeElement(picked.triangle);
    const b = picked.body, p = pose(b, frame, 0, []), v = velocity(b, frame), rows = [["body", run.bodies[b]]];
    rows.push(["kind", ["moves", "fixed", "driven"][data.body_kind[b]]]);
    if (data.body_group[b]) rows.push(["group", run.groups[data.body_group[b]]]);
    if (!data.body_kind[b]) rows.push(["mass", digits(data.body_mass[b]) + inUnit("kg")]);
    rows.push(["position", list(p) + inUnit("m")], ["velocity", list(v) + inUnit("m/s") + (exact ? "" : " (mean since the last state)")]);
    if (planar) rows.push(["angle", digits(moverOf[b] < 0 ? 2 * Math.atan2(p[6], p[3]) : track("turn", moverOf[b], frame)) + " rad"]);
    fillTable($("picked"), rows);
  }

  // stresses have 256 steps, which end where the colours do
  function describeElement(t) {
    const n = data.node_base.length / run.space, level = data.mises[data.elastic_element[t] * frames + frame];
    const middle = (f) => [0, 1, 2].slice(0, run.space).map((k) => [0, 1, 2].reduce((sum, c) => sum + track("node", data.elastic_triangle[3 * t + c] + k * n, f) / 3, 0));
    const now = middle(frame), start = middle(0), mises = level / 255 * run.mises[1];
    fillTable($("picked"), [["elastic body", run.elastics[data.elastic_owner[t]]], ["element", String(data.elastic_element[t] - data.elastic_first[data.elastic_owner[t]])],
      ["von Mises", `${level < 255 ? "" : "at least "}${Number(mises.toPrecision(3))}${inUnit("Pa")}`],
      ["place", list(now) + inUnit("m")], ["moved by", list(now.map((x, k) => x - start[k])) + inUnit("m") + " since the first state"]]);
  }

  // what the colours mean
  function drawScale() {
    const how = $("colour").value;
    const [name, low, high, unit] = how === "speed" ? ["speed", 0, fastest, "m/s"] : how === "birth" ? ["born", 0, latest, "s"]
      : ["von Mises", run.mises[0], run.mises[1], "Pa"];
    $("scale").hidden = how === "group" && !(elastic && stressed);
    $("low").textContent = `${name} ${Number(low.toPrecision(3))}`;
    const more = how !== "speed" && how !== "birth" && run.mises[2] > high ? `, largest ${Number(run.mises[2].toPrecision(3))}` : "";
    $("high").textContent = `${Number(high.toPrecision(3))} ${run.units[unit]}${more}`;
  }

  // four digits, large and small numbers with a power of ten
  const short = (x) => Math.abs(x) >= 1e5 || (x && Math.abs(x) < 1e-3) ? x.toExponential(3) : String(Number(x.toPrecision(4)));
  const chart = $("chart");
  function drawChart() {
    const ratio = window.devicePixelRatio || 1, width = chart.clientWidth * ratio, height = chart.clientHeight * ratio;
    if (!width || !data.ledger_time.length) return;
    [chart.width, chart.height] = [width, height];
    const pen = chart.getContext("2d"), n = data.ledger_time.length;
    const columns = [["kinetic", data.ledger_kinetic, css("--slip")], ["elastic", data.ledger_elastic, "#2b9187"],
      ["potential", data.ledger_potential, css("--stick")]].filter(([, x]) => x.some((e) => e !== 0));
    const total = data.ledger_kinetic.map((x, i) => x + data.ledger_elastic[i] + data.ledger_potential[i]);
    columns.push(["total", total, css("--ink")]);
    let low = Infinity, high = -Infinity;
    for (const [, x] of columns) for (const e of x) if (Number.isFinite(e)) [low, high] = [Math.min(low, e), Math.max(high, e)];
    const size = Math.max(Math.abs(low), Math.abs(high)) || 1;
    if (!(high - low > 1e-9 * size)) [low, high] = [low - 0.1 * size, high + 0.1 * size];  // rounding is no curve
    const t0 = data.ledger_time[0], t1 = data.ledger_time[n - 1] || 1, left = 4 * ratio, foot = 16 * ratio;
    const x = (t) => left + (t - t0) / (t1 - t0 || 1) * (width - 2 * left), y = (e) => 14 * ratio + (high - e) / (high - low) * (height - foot - 16 * ratio);
    pen.font = `${10.5 * ratio}px system-ui, sans-serif`;
    pen.fillStyle = css("--soft");
    const highest = short(high);
    pen.fillText(highest, left, 10 * ratio);
    pen.fillText(`${short(low)}   t = ${digits(t0)} \u2026 ${digits(t1)}${inUnit("s")}`, left, height - 4 * ratio);
    let word = left + Math.max(pen.measureText(highest).width + 10 * ratio, 60 * ratio);
    for (const [name, e, colour] of columns) {
      pen.strokeStyle = pen.fillStyle = colour;
      pen.lineWidth = 1.3 * ratio;
      pen.beginPath();
      for (let i = 0; i < n; i++) pen.lineTo(x(data.ledger_time[i]), y(e[i]));
      pen.stroke();
      pen.fillText(name, word, 10 * ratio);
      word += pen.measureText(name).width + 8 * ratio;
    }
    pen.strokeStyle = css("--soft");
    pen.lineWidth = ratio;
    pen.beginPath();
    pen.moveTo(x(data.time[frame]), 12 * ratio);
    pen.lineTo(x(data.time[frame]), height - foot);
    pen.stroke();
  }

  // ---- time

  const duration = data.time[frames - 1] - data.time[0] || 1;
  // pixels are larger while a slow machine plays, so that it shows more states a second
  const SLOW = 0.09, FAST = 0.03, COARSEST = 3;  // seconds for a picture; pixels
  const SECONDS = { s: 1, ms: 1e-3, us: 1e-6, min: 60, h: 3600 };
  const length = duration * SECONDS[run.units.s];
  if (length < 2 || length > 60) $("speed").value = "0";  // too fast to see, too long to wait for
  let playing = false, clock = data.time[0], last = 0, due = true;
  const slider = $("slider");
  slider.max = frames - 1;

  function show(f, part = 0) {
    frame = Math.min(Math.max(Math.round(f), 0), frames - 1);
    share = part;
    slider.value = frame;
    $("clock").textContent = `t = ${digits(data.time[frame])}${inUnit("s")}`;
    due = true;
  }
  function goto(f) {
    clock = data.time[Math.min(Math.max(Math.round(f), 0), frames - 1)];
    show(f);
    redraw();
  }
  function frameAt(time) {
    let low = 0, high = frames - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (data.time[middle] <= time) low = middle; else high = middle - 1;
    }
    return low;
  }
  function play(on) {
    playing = on;
    if (on && frame >= frames - 1) clock = data.time[0];
    $("play").textContent = on ? "\u275a\u275a" : "\u25b6";
    if (!on && coarse > 1) [coarse, due] = [1, true];
  }
  function redraw() {
    loadBodies();
    loadElastic();
    loadBands();
    paintAll();
    drawOver();
    describe();
    drawScale();
    drawChart();
    due = false;
  }
  function tick(now) {
    const passed = Math.min((now - last) / 1000, 0.1), took = (now - last) / 1000;
    last = now;
    if (playing) {
      coarse = Math.min(Math.max(coarse * (took > SLOW ? 1.25 : took < FAST ? 0.9 : 1), 1), COARSEST);
      clock += passed * (Number($("speed").value) / SECONDS[run.units.s] || duration / 10);
      const f = frameAt(clock), step = f + 1 < frames ? data.time[f + 1] - data.time[f] : 0;
      if (clock >= data.time[frames - 1]) play(false);
      show(f, step > 0 ? Math.min((clock - data.time[f]) / step, 1) : 0);
    }
    if (due) redraw();
    requestAnimationFrame(tick);
  }

  // ---- hands

  const pointers = new Map(), STILL = 4;  // pixels that a click may move
  let moved = 0, spread = 0;
  canvas.addEventListener("pointerdown", (e) => {
    canvas.setPointerCapture(e.pointerId);
    pointers.set(e.pointerId, [e.clientX, e.clientY]);
    moved = 0;
  });
  canvas.addEventListener("pointermove", (e) => {
    const before = pointers.get(e.pointerId);
    if (!before) return;
    const [dx, dy] = [e.clientX - before[0], e.clientY - before[1]];
    pointers.set(e.pointerId, [e.clientX, e.clientY]);
    moved += Math.abs(dx) + Math.abs(dy);
    camera.own = camera.own || moved > STILL;
    if (pointers.size === 2) {
      const [a, b] = [...pointers.values()], now = Math.hypot(a[0] - b[0], a[1] - b[1]);
      if (spread) camera.size *= spread / now;
      spread = now;
      pan(dx / 2, dy / 2);
    } else if (planar || e.shiftKey || e.buttons & 6) {
      pan(dx, dy);
    } else {
      camera.yaw -= dx * 0.008;
      camera.pitch = Math.min(Math.max(camera.pitch + dy * 0.008, -1.55), 1.55);
    }
    due = true;
  });
  const released = (e) => {
    if (!pointers.delete(e.pointerId)) return;
    spread = 0;
    if (moved > STILL || e.type === "pointercancel") return;
    const box = canvas.getBoundingClientRect(), x = e.clientX - box.left, y = e.clientY - box.top;
    const touched = contactAt(x, y), body = touched < 0 ? bodyAt(x, y) : -1;
    if (touched >= 0) pickContact(touched);
    else if (body >= 0 && body < bodies) pick(body);
    else if (body >= bodies && body < bodies + elastic) {
      picked = { triangle: body - bodies };
      describe();
    }
    else {
      picked = null;
      fillTable($("picked"), [["", "click a body or a contact"]]);
    }
    due = true;
  };
  canvas.addEventListener("pointerup", released);
  canvas.addEventListener("pointercancel", released);
  canvas.addEventListener("contextmenu", (e) => e.preventDefault());
  canvas.addEventListener("wheel", (e) => {
    e.preventDefault();
    camera.own = true;
    camera.size *= Math.exp(Math.min(Math.max(e.deltaY, -200), 200) * 0.0015);
    due = true;
  }, { passive: false });
  document.addEventListener("keydown", (e) => {
    if (/INPUT|SELECT/.test(e.target.tagName) && e.target.type !== "checkbox" && e.key !== " ") return;
    const does = { " ": () => play(!playing), ArrowRight: () => goto(frame + 1), ArrowLeft: () => goto(frame - 1),
      Home: () => goto(0), End: () => goto(frames - 1), f: () => { fit(); due = true; } }[e.key] || (SIDES[e.key - 1] && (() => lookFrom(e.key - 1)));
    if (does && !e.ctrlKey && !e.metaKey && !e.altKey) { e.preventDefault(); does(); }
  });
  // azimuth and elevation in degrees, as of scree plot --view
  const SIDES = planar ? [] : [[-90, 0], [0, 0], [90, 0], [180, 0], [-90, 89], [-62, 22]];
  function lookFrom(side) {
    [camera.yaw, camera.pitch] = SIDES[side].map((angle) => angle * Math.PI / 180);
    fit();
    due = true;
  }
  $("from").hidden = planar;
  $("side").onchange = () => lookFrom(Number($("side").value));
  $("play").onclick = () => play(!playing);
  $("back").onclick = () => { play(false); goto(frame - 1); };
  $("next").onclick = () => { play(false); goto(frame + 1); };
  slider.oninput = () => { play(false); goto(Number(slider.value)); };
  for (const id of ["forces", "velocities", "edges", "obstacles", "colour"]) $(id).onchange = () => { due = true; };
  $("fit").onclick = () => { fit(); due = true; };
  // view, rule and axes, with title and time: what a figure in a paper needs
  function picture() {
    const made = document.createElement("canvas"), pen = made.getContext("2d");
    redraw();
    [made.width, made.height] = [canvas.width, canvas.height];
    pen.drawImage(canvas, 0, 0);
    pen.drawImage(over, 0, 0, made.width, made.height);
    const ratio = made.width / Math.max(canvas.clientWidth, 1);
    pen.font = `${13 * ratio}px system-ui, sans-serif`;
    pen.fillStyle = css("--ink");
    pen.fillText(`${run.title}, ${$("clock").textContent}`, 10 * ratio, 20 * ratio, made.width - 20 * ratio);
    return made;
  }
  $("save").onclick = () => {
    const link = document.createElement("a");
    link.href = picture().toDataURL("image/png");
    link.download = `${run.title.replace(/[^\w-]+/g, "-") || "run"}-${digits(data.time[frame])}${run.units.s}.png`;
    link.click();
  };
  $("link").onclick = () => { location.hash = `t=${digits(data.time[frame])}`; };
  const follow = () => {
    const wanted = /t=([-+\d.e]+)/.exec(location.hash);
    if (wanted) goto(frameAt(Number(wanted[1]) + 1e-12));
  };
  window.addEventListener("hashchange", follow);
  chart.addEventListener("click", (e) => {
    const t0 = data.ledger_time[0], t1 = data.ledger_time[data.ledger_time.length - 1];
    play(false);
    goto(frameAt(t0 + (e.offsetX - 4) / (chart.clientWidth - 8) * (t1 - t0)));
  });
  new ResizeObserver(() => {
    if (!camera.own) fit();
    due = true;
  }).observe($("stage"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { due = true; });

  function pick(body) {
    const number = typeof body === "string" ? run.bodies.indexOf(body) : body;
    if (!(number >= 0 && number < bodies)) return null;
    picked = { body: number };
    due = true;
    describe();
    return { name: run.bodies[number], position: pose(number, frame, 0, []).slice(0, 3), velocity: velocity(number, frame), mass: data.body_mass[number] };
  }
  function pickContact(i) {
    if (!(i >= 0 && i < data.contact_a.length)) return null;
    picked = { contact: i };
    due = true;
    describe();
    return contact(i);
  }

  // a page that is served tells that it is open, and follows a run that goes on
  if (location.protocol === "http:") {
    const kept = JSON.parse(sessionStorage.getItem("camera") || "null");
    const ready = performance.now(), LOOK = 4;  // a page that takes long to load is not loaded all the time
    setInterval(async () => {
      try {
        const answer = await fetch("alive"), stored = Number(await answer.text());
        if (!answer.ok || !(stored > run.stored) || frame < frames - 1 || playing || performance.now() < LOOK * ready) return;
        sessionStorage.setItem("camera", JSON.stringify({ camera, path: location.pathname }));
        location.reload();
      } catch { /* the server has gone; the page is complete without it */ }
    }, 3000);
    show(frames - 1);
    fit();
    if (kept && kept.path === location.pathname && kept.camera.own) Object.assign(camera, kept.camera);
  } else {
    show(0);
    fit();
  }
  follow();
  redraw();
  requestAnimationFrame(tick);
  window.scree = { frames, bodies: run.bodies, times: Array.from(data.time), contacts: contactsOf, goto, pick, pickContact, play,
    position: (body, f) => pose(body, f, 0, []).slice(0, 3), velocity, anchor: (joint, side, f) => { share = 0; return anchorOf(joint, side, f); }, picture, screen: (x) => onScreen(x).slice(0, 2) };
})();
