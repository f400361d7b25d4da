import { Button, Textarea } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { sentence } from '#web/ui/say.ts'
import css from './talks.module.css'

interface Props {
  readonly taken: readonly string[]
  readonly onAdd: (names: readonly string[]) => Promise<unknown>
}

/** Names the people who are there: one to a line, as typed or as pasted from a list. */
export function AddPeople({ taken, onAdd }: Props) {
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const add = async () => {
    const known = new Set(taken.map((n) => n.toLowerCase()))
    const names = [...new Set(text.split(/[\n;]/).map((n) => n.trim()))].filter((n) => n && !known.has(n.toLowerCase()))
    if (!names.length) return setFailure(text.trim() ? 'They are on the list already' : 'Please enter a name')
    setBusy(true)
    setFailure(undefined)
    try {
      await onAdd(names)
      setText('')
    } catch (e) {
      setFailure(sentence(e))
    }
    setBusy(false)
  }
  return (
    <form
      className={css.add}
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        void add()
      }}
    >
      <Textarea
        label="Who is there?"
        description="One name to a line. Enter adds. Whoever has an account signs under it, others as visitors."
        autosize
        minRows={1}
        maxRows={12}
        value={text}
        error={failure}
        readOnly={busy}
        onChange={(e) => setText(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key !== 'Enter' || e.shiftKey || e.nativeEvent.isComposing) return
          e.preventDefault()
          void add()
        }}
      />
      <Button type="submit" variant="default" leftSection={<IconUserPlus size={16} aria-hidden />} loading={busy}>
        Add
      </Button>
    </form>
  )
}
