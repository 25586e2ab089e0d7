/** Pictures, from their addresses. */

import { usePage } from '../../react/use-component.ts'
import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'
import type { ClientKind, KindProps } from './client-kind.ts'
import { isAddress } from './link.tsx'

/** A picture's name: the last part of its address, or its host. */
const nameOf = (address: string): string => /([^/?#]*)\/*(?:[?#]|$)/.exec(address)?.[1] ?? ''

/** The browser loads it when it comes into view; by the page’s policy it sends other sites no referrer. */
export const PictureLink = ({
  href,
  name,
  small,
}: {
  href: string
  name: string
  /** Of a picture that a row holds: a copy as small as it is shown here. */
  small?: string
}) => (
  <a className="picture" href={href} target="_blank" rel="noreferrer" data-picture={small && name}>
    <img src={small ?? href} alt={name} loading="lazy" />
  </a>
)

const Picture = ({ text }: { text: string }) =>
  isAt(usePage().host, text) ? (
    <Placeholder text={text} />
  ) : (
    <PictureLink href={text} name={nameOf(text)} />
  )

/** Loads nothing: the link opens the picture in a tab of its own. */
function Placeholder({ text }: { text: string }) {
  const { cell } = useMessages()
  return (
    <a className="picture unloaded" href={text} target="_blank" rel="noreferrer">
      <Icon name="picture" />
      <span className="sr">{cell.openPicture(nameOf(text))}</span>
    </a>
  )
}

/** Whether the address is at the host, however both are written. */
function isAt(host: string, address: string): boolean {
  const [own, other] = [`http://${host}`, address].map(hostOf)
  return own === undefined || other === undefined || own === other
}

/** Host and port without a dot at the end of the name. */
const hostOf = (address: string): string | undefined =>
  URL.canParse(address) ? new URL(address).host.replace(/\.(?=:|$)/, '') : undefined

export const image: ClientKind = {
  cell: ({ text, column: { loads } }: KindProps) =>
    loads ? <Picture text={text} /> : <Placeholder text={text} />,
  fits: isAddress,
  // The height of the highest rows.
  layout: { fixed: 40, speaks: true },
}
