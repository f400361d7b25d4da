import '@mantine/core/styles/Switch.layer.css'
import '@mantine/core/styles/Table.layer.css'
import { Group, Kbd, Modal, Stack, Switch, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { singleKeyShortcuts, useShortcutGroups } from '../ui/keys/shortcuts.ts'
import { useCloseOnBack } from '../ui/overlays/back.ts'

const KEY_LABELS: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
  enter: 'Enter',
}
const showKeys = (keys: string) =>
  keys.replace('mod+', /Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘ ' : 'Ctrl ').split(' ')

/** Dialog with the keyboard shortcuts of the current screen. */
export default function ShortcutListDialog({ onClose }: { onClose: () => void }) {
  const shortcuts = useShortcutGroups().toReversed().flat()
  const [single, setSingle] = useState(singleKeyShortcuts.on)
  useCloseOnBack(true, onClose)
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" size="md">
      <Stack>
        <Table aria-label="Keyboard shortcuts">
          <Table.Tbody>
            {shortcuts.map((s) => (
              <Table.Tr key={`${s.keys} ${s.label}`}>
                <Table.Th scope="row" fw={400}>
                  {s.label}
                </Table.Th>
                <Table.Td ta="right">
                  <Group gap={4} justify="flex-end" wrap="nowrap">
                    {showKeys(s.keys).map((k) => (
                      <Kbd key={k}>{KEY_LABELS[k] ?? (k.length === 1 ? k.toUpperCase() : k)}</Kbd>
                    ))}
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Switch
          label="Single-key shortcuts"
          description="Switch these shortcuts off if you use speech input or press keys by accident."
          checked={single}
          onChange={(e) => {
            singleKeyShortcuts.set(e.currentTarget.checked)
            setSingle(e.currentTarget.checked)
          }}
        />
        <Text size="sm" c="dimmed">
          Shortcuts don’t work while you type in a field.
        </Text>
      </Stack>
    </Modal>
  )
}
