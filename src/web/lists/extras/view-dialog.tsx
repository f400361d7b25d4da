import '@mantine/core/styles/RadioIndicator.layer.css'
import '@mantine/core/styles/Radio.layer.css'
import { Button, Checkbox, Radio, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { savedView } from '#kernel/lists/views.ts'
import { fieldViolations } from '#kernel/validate.ts'
import { ApiError } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import { useSaveRecord } from '../../api/resources.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { errorSentence, toast } from '../../ui/toast.ts'
import type { ListViews } from '../views/use-views.ts'
import { useSaveListSetting } from './use-keep-setting.ts'

interface Props {
  readonly views: ListViews
  readonly mode: 'new' | 'change'
  /**
   * Columns on screen, or an empty string if they are the default columns. They are saved with the view, so that people
   * who share the view see the same columns.
   */
  readonly columns: string
  readonly onClose: () => void
}

const withColumns = (query: string, columns: string): string => {
  const all = new URLSearchParams(query)
  if (columns) all.set('columns', columns)
  return all.toString()
}

/** Dialog to name a view and to choose who can see it. */
export default function ViewDialog({ views, mode, columns, onClose }: Props) {
  const { list, now, current, setting } = views
  const view = mode === 'change' ? current : undefined
  const [name, setName] = useState(view?.name ?? '')
  const me = useMe()
  const [sharing, setSharing] = useState(view?.sharing ?? 'me')
  const [first, setFirst] = useState(view !== undefined && setting?.view === view['@id'])
  const [error, setError] = useState<string>()
  const save = useSaveRecord(savedView)
  const keep = useSaveListSetting(views)

  const submit = async (e: FormEvent) => {
    e.preventDefault()
    e.stopPropagation()
    const values = view ? { name, sharing } : { list, name, sharing, query: withColumns(now, columns) }
    const [wrong] = fieldViolations(savedView.fields, { ...values, list })
    if (wrong) return setError(wrong.message)
    try {
      const saved = await save.mutateAsync({ ...(view ? { id: view.id } : {}), values })
      if (first !== (setting?.view === saved['@id'])) await keep({ view: first ? saved['@id'] : null })
      toast.saved(`view ${name}`)
      onClose()
      if (!view) views.show(saved)
    } catch (e) {
      const named = e instanceof ApiError && e.violations.some((v) => v.propertyPath === 'name')
      setError(named ? 'You already have a view with this name. Please choose another name.' : errorSentence(e))
    }
  }
  return (
    <Dialog opened onClose={onClose} title={view ? 'Rename or share the view' : 'Save as a view'} size="28rem">
      <form noValidate onSubmit={(e) => void submit(e)}>
        <Stack gap="md">
          <TextInput
            label="Name"
            data-autofocus
            maxLength={60}
            value={name}
            error={error}
            onChange={(e) => setName(e.currentTarget.value)}
          />
          {!me.isImpersonating && (
            <Radio.Group label="Visible to" value={sharing} onChange={setSharing}>
              <Stack gap="xs" mt="xs">
                {savedView.fields.sharing.options?.map((o) => (
                  <Radio key={o.value} value={String(o.value)} label={o.label} />
                ))}
              </Stack>
            </Radio.Group>
          )}
          <Checkbox
            label="Use as my default view"
            checked={first}
            onChange={(e) => setFirst(e.currentTarget.checked)}
          />
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              Save view
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}
