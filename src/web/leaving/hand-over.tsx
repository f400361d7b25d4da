import '@mantine/core/styles/Radio.layer.css'
import '@mantine/core/styles/RadioIndicator.layer.css'
import { Button, Radio, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Resource } from '#kernel/resource.ts'
import { ApiError, type Params } from '../api/client.ts'
import { RemoteSelect } from '../forms/remote-select.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { FailureText } from '../ui/error-text.tsx'
import { sentence } from '../ui/toast.ts'

/** Who takes leads over, as a save says it. */
type HandedOver = { readonly handTo?: string | null; readonly handToTeam?: boolean }

interface Asked {
  readonly name: string
  /** What they leave, in the server's words. */
  readonly left: string
  readonly save: Save<unknown>
  readonly over: (saved: unknown) => void
}

type Save<T> = (said: HandedOver) => Promise<T>

interface From {
  /** Accounts, or records of staff. */
  readonly target: Resource
  /** Which of them work leads. */
  readonly params: Params
}

/**
 * `const [dialog, leave] = useHandOver({…})`: render `dialog`; `await leave(name, save)` saves what makes somebody leave, and asks who
 * takes their leads over where they have some: what was saved, or `undefined` where nobody said. Throws what else refuses.
 */
export function useHandOver(
  from: From,
): readonly [ReactNode, <T>(name: string, save: Save<T>) => Promise<T | undefined>] {
  const [asked, setAsked] = useState<Asked>()
  const [opened, setOpened] = useState(false)
  const leave = async <T,>(name: string, save: Save<T>): Promise<T | undefined> => {
    try {
      return await save({})
    } catch (e) {
      if (!(e instanceof ApiError && e.code === 'leads_left')) throw e
      return new Promise((over) => {
        setAsked({ name, left: e.message, save, over: (saved) => over(saved as T | undefined) })
        setOpened(true)
      })
    }
  }
  const close = (saved?: unknown) => {
    setOpened(false)
    asked?.over(saved)
  }
  const dialog = (
    <Dialog opened={opened} onClose={() => close()} title={`Who takes the leads of ${asked?.name} over?`} size="32rem">
      {asked && <HandOver key={asked.name} {...from} {...asked} onClose={close} />}
    </Dialog>
  )
  return [dialog, leave]
}

function HandOver({
  target,
  params,
  left,
  save,
  onClose,
}: From & Asked & { readonly onClose: (saved?: unknown) => void }) {
  const [way, setWay] = useState('person')
  const [heir, setHeir] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState('')
  const submit = async () => {
    if (way === 'person' && !heir) return setError('Please choose who takes them over')
    setBusy(true)
    setError('')
    try {
      onClose(await save(way === 'person' ? { handTo: heir } : { handToTeam: true }))
    } catch (e) {
      setError(sentence(e))
    }
    setBusy(false)
  }
  return (
    <Stack gap="md">
      <Text>{left} It happens at once, and the notes of each lead say so.</Text>
      <Radio.Group aria-label="Who takes them over" value={way} onChange={setWay}>
        <Stack gap="sm">
          <Radio value="person" label="A colleague" />
          {way === 'person' && (
            <RemoteSelect
              target={target}
              aria-label="The colleague"
              placeholder="Search by name"
              params={params}
              value={heir}
              onChange={setHeir}
            />
          )}
          <Radio value="team" label="Nobody in particular: whoever calls next gets them" />
        </Stack>
      </Radio.Group>
      {error && <FailureText>{error}</FailureText>}
      <DialogActions>
        <Button variant="default" onClick={() => onClose()}>
          Cancel
        </Button>
        <Button loading={busy} onClick={() => void submit()}>
          Hand over
        </Button>
      </DialogActions>
    </Stack>
  )
}
