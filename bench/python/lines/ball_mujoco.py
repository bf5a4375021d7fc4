# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
import mujoco

model = mujoco.MjModel.from_xml_string("""
<mujoco>
  <option timestep="0.001" gravity="0 0 -9.81"/>
  <worldbody>
    <geom type="plane" size="5 5 0.1"/>
    <body pos="0 0 1.1">
      <freejoint/>
      <!-- no restitution: a spring whose stiffness and damping have to be found for e = 0.7 -->
      <geom type="sphere" size="0.1" density="1000" condim="1" solref="-100000 -70"/>
    </body>
  </worldbody>
</mujoco>""")
data = mujoco.MjData(model)
height = 0
while data.time < 3:
    mujoco.mj_step(model, data)
    if data.time > 0.5:
        height = max(height, data.qpos[2])
print("height %.3f" % height)
