/** Sums and products of decimals and whole numbers, with every digit. */

/** A number as a whole one and how many of its digits stand behind the point. */
type Exact = { readonly whole: bigint; readonly scale: number }

const NUMBER = /^([+-]?)(\d{1,1000})?(?:\.(\d{0,1000}))?(?:e([+-]?\d{1,3}))?$/i

function exactOf(value: number | bigint | string): Exact | undefined {
  const [, sign, digits = '', fraction = '', exponent = '0'] = NUMBER.exec(String(value)) ?? []
  if (sign === undefined || digits + fraction === '') return undefined
  const whole = BigInt(`${digits}${fraction}`) * (sign === '-' ? -1n : 1n)
  const scale = fraction.length - Number(exponent)
  return scale < 0 ? { whole: whole * 10n ** BigInt(-scale), scale: 0 } : { whole, scale }
}

/**
 * The sum or product as a text, rounded half away from zero to `scale` digits behind the point;
 * `undefined` if one of them is no number.
 */
export function calculated(
  one: number | bigint | string,
  by: 'add' | 'multiply',
  other: number | bigint | string,
  scale = Infinity,
): string | undefined {
  const [a, b] = [exactOf(one), exactOf(other)]
  if (!a || !b) return undefined
  const result = by === 'add' ? sumOf(a, b) : { whole: a.whole * b.whole, scale: a.scale + b.scale }
  return textOf(rounded(result, scale))
}

function sumOf(a: Exact, b: Exact): Exact {
  const scale = Math.max(a.scale, b.scale)
  const at = (one: Exact): bigint => one.whole * 10n ** BigInt(scale - one.scale)
  return { whole: at(a) + at(b), scale }
}

function rounded({ whole, scale }: Exact, most: number): Exact {
  if (scale <= most) return { whole, scale }
  const unit = 10n ** BigInt(scale - most)
  const half = whole < 0n ? -unit / 2n : unit / 2n
  return { whole: (whole + half) / unit, scale: most }
}

/** Without zeros at the end. */
function textOf({ whole, scale }: Exact): string {
  const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, '0')
  const [before, after] = [
    digits.slice(0, digits.length - scale),
    digits.slice(digits.length - scale),
  ]
  const fraction = after.replace(/0+$/, '')
  return `${whole < 0n ? '-' : ''}${before}${fraction === '' ? '' : `.${fraction}`}`
}
