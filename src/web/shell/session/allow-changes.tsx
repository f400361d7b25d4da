import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { allowChanges } from '../../api/signing.ts'
import { NO_REASON, ReasonField } from './reason-field.tsx'

/** The step from looking to changing things, while working as a client: says why, for the client to read. */
export function AllowChanges({ reason: given }: { reason: string }) {
  const [opened, setOpened] = useState(false)
  const [reason, setReason] = useState(given)
  const [checked, setChecked] = useState(false)
  const allow = useMutation({ mutationFn: allowChanges, onSuccess: () => setOpened(false) })
  const submit = (e: FormEvent) => {
    e.preventDefault()
    setChecked(true)
    if (reason.trim()) allow.mutate(reason.trim())
  }
  return (
    <>
      <Button size="xs" color="dark.9" variant="outline" onClick={() => setOpened(true)}>
        Allow changes
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title="Allow changes" size="md">
        <form onSubmit={submit} noValidate>
          <Stack>
            <Text>You are looking only. What you change is recorded under your own name.</Text>
            {allow.error && (
              <Alert color="red" role="alert" title="You are still looking only">
                {allow.error.message}
              </Alert>
            )}
            <ReasonField
              label="Why something has to be changed"
              value={reason}
              onChange={setReason}
              error={checked && !reason.trim() ? NO_REASON : undefined}
              first
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setOpened(false)}>
                Cancel
              </Button>
              <Button type="submit" loading={allow.isPending}>
                Change things
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  )
}
