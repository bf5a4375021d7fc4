# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
import mujoco

balls = "".join(f"""
    <body pos="{0.21 * (i % 3) + 0.02 * (i // 9)} {0.21 * (i // 3 % 3) + 0.01 * (i // 9)} {0.1 + 0.21 * (i // 9)}">
      <freejoint/>
      <geom type="sphere" size="0.1" density="1000" friction="0.5"/>
    </body>""" for i in range(27))
model = mujoco.MjModel.from_xml_string(f"""
<mujoco>
  <option timestep="0.005" cone="elliptic"/>
  <worldbody>
    <geom type="plane" size="50 50 0.1" friction="0.5"/>{balls}
  </worldbody>
</mujoco>""")
data = mujoco.MjData(model)
while data.time < 0.5:
    mujoco.mj_step(model, data)
print("highest %.2f" % data.qpos.reshape(-1, 7)[:, 2].max())
