import { Button, List, Stack, Text } from '@mantine/core'
import { IconHelp } from '@tabler/icons-react'
import { useState } from 'react'
import { Dialog } from '#web/ui/dialog.tsx'
import { LOGIN_DAYS } from './employee-login.ts'

const TITLE = 'What is My-Task?'

/** Button that opens the help dialog about the task site of employees (safety specification, section 1). */
export function MyTaskHelp() {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button variant="subtle" leftSection={<IconHelp size={16} aria-hidden />} onClick={() => setOpened(true)}>
        {TITLE}
      </Button>
      <Dialog opened={opened} onClose={() => setOpened(false)} title={TITLE} size="36rem">
        <Stack gap="sm">
          <Text>My-Task is a separate employee task site. There employees can:</Text>
          <List>
            <List.Item>book holidays</List.Item>
            <List.Item>complete e-learning</List.Item>
            <List.Item>sign and view policy, RAMS and COSHH documents</List.Item>
            <List.Item>report incidents</List.Item>
            <List.Item>sign contracts and handbooks</List.Item>
          </List>
          <Text>
            To send employees their login details, use the Send Login Details action, the envelope, in Employee Manager
            (People &gt; Employees): in the row or the record of one employee, or for all that you select.
          </Text>
          <Text>
            The employee receives an e-mail with their username and a link to choose a password. The link works once,
            within {LOGIN_DAYS} days. An employee without an e-mail address gets a printed letter with a one-time code.
          </Text>
        </Stack>
      </Dialog>
    </>
  )
}
