import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconEye } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { changeReasonPrompt, checkChangePermission } from '../../api/changes.ts'
import type { Me } from '../../api/session.ts'
import { stopImpersonating } from '../../api/signing.ts'
import { PATH_AFTER_IMPERSONATION } from '../pages/redirects.ts'
import classes from './band.module.css'
import { formatTimeLeft } from './time-left.ts'

/** Banner while working as a client: the user, the client, the reason, the remaining time, and a button to stop. */
export function ImpersonationBanner({ me }: { me: Me }) {
  const navigate = useNavigate()
  const [nowMs, setNow] = useState(Date.now)
  const until = me.impersonation?.until
  const looksOnly = checkChangePermission(me) !== 'yes'
  const box = useRef<HTMLElement>(null)
  const leave = useMutation({
    mutationFn: () => stopImpersonating(() => navigate(PATH_AFTER_IMPERSONATION)),
    onError: (e) =>
      notifications.show({ color: 'red', title: 'You are still working as the client', message: e.message }),
  })
  const timesUp = useEffectEvent(() => {
    if (leave.isPending || leave.isSuccess) return
    notifications.show({
      color: 'yellow',
      title: 'Your time is up',
      message: `You are no longer working as ${me.client.company}.`,
    })
    leave.mutate()
  })
  useEffect(() => {
    const tick = setInterval(() => setNow(Date.now()), 1000)
    const end = until ? setTimeout(() => timesUp(), Math.max(0, Date.parse(until) - Date.now())) : undefined
    return () => {
      clearInterval(tick)
      clearTimeout(end)
    }
  }, [until])
  // The rail and the top bar stick below the banner, so they need its current height.
  useEffect(() => {
    const measure = new ResizeObserver(
      ([e]) => e && document.documentElement.style.setProperty('--band', `${(e.target as HTMLElement).offsetHeight}px`),
    )
    if (box.current) measure.observe(box.current)
    return () => {
      measure.disconnect()
      document.documentElement.style.removeProperty('--band')
    }
  }, [])
  return (
    <section ref={box} className={classes.band} aria-label="Working as a client">
      <IconEye size={20} aria-hidden />
      <div className={classes.bandWords} title={me.impersonation?.reason}>
        {me.original?.name ?? 'You'}, working as {me.name} for {me.client.company}
        {looksOnly && <span> (read-only)</span>}
        {me.impersonation?.reason && <span className={classes.bandReason}> – {me.impersonation.reason}</span>}
      </div>
      {until && (
        <span>
          <span role="timer">{formatTimeLeft(until, nowMs)}</span> left
        </span>
      )}
      {looksOnly && (
        <Button size="xs" color="dark.9" variant="outline" onClick={() => void changeReasonPrompt.ask()}>
          Allow changes
        </Button>
      )}
      <Button size="xs" color="dark.9" loading={leave.isPending} onClick={() => leave.mutate()}>
        Switch back
      </Button>
    </section>
  )
}
