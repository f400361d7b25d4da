import { useRef, useState } from 'react'
import { callApi } from '#web/api/client.ts'
import { type Me, session } from '#web/api/session.ts'
import { removePersonData } from '#web/offline/forget.ts'
import type { QueuedRequest } from '#web/offline/requests.ts'
import css from './tasks.module.css'
import { readUnsent } from './unsent.web.ts'

async function signOut(): Promise<void> {
  await callApi('POST', '/api/security/logout').catch(() => undefined)
  await removePersonData(session.me())
  session.end()
  location.assign('/')
}

/** Signs out; first asks for confirmation if something exists only on this device. */
export function SignOutButton({ me }: { readonly me: Me }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [unsent, setUnsent] = useState<readonly QueuedRequest[]>([])
  const ask = async () => {
    const found = await readUnsent(me)
    if (!found.length) return signOut()
    setUnsent(found)
    dialog.current?.showModal()
  }
  return (
    <>
      <button type="button" className={css.quiet} onClick={() => void ask()}>
        Sign out
      </button>
      <dialog ref={dialog} className={css.dialog} aria-labelledby="unsent-title">
        <h2 id="unsent-title">Unsent changes</h2>
        <p>
          {unsent.length === 1
            ? 'This change is stored only on this device:'
            : `These ${unsent.length} changes are stored only on this device:`}
        </p>
        <ul>
          {unsent.map(({ key, what, of }) => (
            <li key={key}>{[what, of].filter(Boolean).join(', ')}</li>
          ))}
        </ul>
        <p>
          Unsent changes stay on this device and will be sent when you sign in here again. Nobody else who signs in on
          this device can see or send them.
        </p>
        <div className={css.buttons}>
          <button type="button" className={css.button} onClick={() => dialog.current?.close()}>
            Stay signed in
          </button>
          <button type="button" className={css.button} onClick={() => void signOut()}>
            Sign out
          </button>
        </div>
      </dialog>
    </>
  )
}
