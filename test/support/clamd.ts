import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** The string is split in two, so that no scanner detects a virus in this source file. */
export const EICAR_TEST_FILE = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')

const COMMAND = Buffer.from('zINSTREAM\0')
const LENGTH_BYTES = 4

/** Behaviour of the scanner: it scans, does not respond, disconnects, or sends a meaningless response. */
type Mood = 'looks' | 'silent' | 'hangs up' | 'muddled'

/** Starts a local stand-in for ClamAV's daemon, which supports INSTREAM and detects one virus. */
export async function startFakeClamd({ most = 25 * 1024 * 1024 } = {}) {
  let mood: Mood = 'looks'
  const seen: Buffer[] = []
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    let come = Buffer.alloc(0)
    let over = false
    const answer = (line: string) => {
      over = true
      socket.end(`${line}\0`)
    }
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      if (over || mood === 'silent') return
      if (mood === 'hangs up') return void socket.destroy()
      come = Buffer.concat([come, chunk])
      const file = fileIn(come)
      if (file === 'wrong') return answer('UNKNOWN COMMAND')
      if (file.bytes.length > most) return answer('INSTREAM size limit exceeded. ERROR')
      if (!file.whole) return
      if (mood === 'muddled') return answer('stream: lstat() failed: No such file or directory. ERROR')
      seen.push(file.bytes)
      answer(file.bytes.includes(EICAR_TEST_FILE) ? 'stream: Eicar-Test-Signature FOUND' : 'stream: OK')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `clamd://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    be: (to: Mood) => {
      mood = to
    },
    close: async () => {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Joins the chunks received after the command. A chunk is preceded by its length, and an empty chunk ends the file. */
function fileIn(come: Buffer): { bytes: Buffer; whole: boolean } | 'wrong' {
  const parts: Buffer[] = []
  const begun = come.subarray(0, COMMAND.length)
  if (!COMMAND.subarray(0, begun.length).equals(begun)) return 'wrong'
  for (let at = COMMAND.length; at + LENGTH_BYTES <= come.length; ) {
    const length = come.readUInt32BE(at)
    if (length === 0) return { bytes: Buffer.concat(parts), whole: true }
    parts.push(come.subarray(at + LENGTH_BYTES, at + LENGTH_BYTES + length))
    at += LENGTH_BYTES + length
  }
  return { bytes: Buffer.concat(parts), whole: false }
}
