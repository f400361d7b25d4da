import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError } from '../api/client.ts'
import { useActor } from '../shell/me.ts'
import { sentence } from './say.ts'
import { sendFile, UPLOADED, type UploadedFile } from './UploadsSend.ts'

/** A file on its way. One that failed stays, with why, until it is sent again or taken off. */
export interface Upload {
  readonly key: string
  readonly file: File
  readonly state: 'waiting' | 'sending' | 'failed'
  /** 0 to 1. */
  readonly sent: number
  readonly why?: string
  /** Sending the same file once more may help. */
  readonly again?: boolean
}

const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, '0')).join('')

/** Sends chosen files one after the other. `folder` is where those chosen from now on go. */
export function useUploads({ folder, onDone }: { folder?: string | undefined; onDone: (file: UploadedFile) => void }) {
  const { clientId } = useActor()
  const queries = useQueryClient()
  const [uploads, setUploads] = useState<readonly (Upload & { folder?: string | undefined })[]>([])
  const running = useRef<{ key: string; stop: AbortController }>(undefined)
  const change = (key: string, to: Partial<Upload>) =>
    setUploads((all) => all.map((u) => (u.key === key ? { ...u, ...to } : u)))
  const drop = (key: string) => setUploads((all) => all.filter((u) => u.key !== key))
  const done = useEffectEvent(onDone)

  const next = running.current ? undefined : uploads.find((u) => u.state === 'waiting')
  const start = useEffectEvent(async (u: Upload & { folder?: string | undefined }) => {
    const stop = new AbortController()
    running.current = { key: u.key, stop }
    change(u.key, { state: 'sending', sent: 0 })
    try {
      const file = await sendFile({
        client: clientId,
        file: u.file,
        folder: u.folder,
        key: u.key,
        onProgress: (sent) => change(u.key, { sent }),
        signal: stop.signal,
      })
      queries.setQueryData([UPLOADED, 'one', String(file.id)], file)
      running.current = undefined
      done(file)
      drop(u.key)
    } catch (e) {
      running.current = undefined
      if (stop.signal.aborted) return drop(u.key)
      const refused = e instanceof ApiError && e.status >= 400 && e.status < 500 && e.status !== 401
      change(u.key, { state: 'failed', why: sentence(e), again: !refused })
    }
  })
  useEffect(() => {
    if (next) void start(next)
  }, [next])
  useEffect(() => () => running.current?.stop.abort(), [])

  return {
    uploads,
    add: (files: Iterable<File>) =>
      setUploads((all) => [
        ...all,
        ...[...files].map((file) => ({ key: newKey(), file, state: 'waiting' as const, sent: 0, folder })),
      ]),
    retry: (key: string) => change(key, { state: 'waiting', sent: 0 }),
    remove: (key: string) => {
      if (running.current?.key === key) running.current.stop.abort()
      else drop(key)
    },
  }
}
