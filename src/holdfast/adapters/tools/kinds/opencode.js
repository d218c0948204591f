// It asks holdfast what this session should know, and never stands in the way.
import { spawnSync } from "node:child_process"

const [program, ...words] = PROGRAM

export const Holdfast = async ({ directory }) => {
  const known = new Map()
  const seen = new Set()
  const ask = (event, session, more) => {
    const input = JSON.stringify({ hook_event_name: event, session_id: session, cwd: directory, ...more })
    const ended = spawnSync(program, [...words, "hook", "opencode", event], {
      cwd: directory, input, encoding: "utf8", timeout: 3000, maxBuffer: 1 << 20,
    })
    try { return JSON.parse(ended.stdout) } catch { return {} }
  }
  const note = (session, { context, stop }) => {
    if (context) known.set(session, [...(known.get(session) ?? []), context])
    if (stop) throw new Error(stop)
  }
  // It has no event for the end of a session; what was said is proposed when it leaves.
  process.on("exit", () => [...seen].forEach((session) => ask("end", session, {})))
  return {
    event: async ({ event }) => {
      const about = event.properties ?? {}
      const session = about.sessionID ?? about.info?.id
      if (!session || about.info?.parentID) return
      if (event.type === "session.created") note(session, ask("start", session, { source: "startup" }))
      if (event.type === "session.idle") ask("stop", session, {})
      if (event.type === "session.compacted") {
        known.delete(session)
        note(session, ask("start", session, { source: "compact" }))
      }
    },
    "chat.message": async (input, output) => {
      seen.add(input.sessionID)
      const prompt = output.parts.filter((part) => part.type === "text").map((part) => part.text).join("\n")
      note(input.sessionID, ask("prompt", input.sessionID, { prompt, prompt_id: output.message?.id }))
    },
    "tool.execute.before": async (input, output) => {
      if (!["bash", "edit", "write", "patch", "apply_patch", "multiedit"].includes(input.tool)) return
      note(input.sessionID, ask("before-tool", input.sessionID, { tool_name: input.tool, tool_input: output.args }))
    },
    "experimental.chat.system.transform": async (input, output) => {
      for (const context of known.get(input.sessionID) ?? []) output.system.push(context)
    },
  }
}
