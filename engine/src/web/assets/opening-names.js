// Made by scripts/opening-names from github.com/lichess-org/chess-openings, which is in the public domain (CC0).
export const NAMES = `001ffb33 C46 Three Knights Opening
002d3d33 A22 English Opening: King's English Variation, Two Knights Variation, Reversed Dragon
003da2be C11 French Defense: Classical Variation
004a51a6 B00 Nimzowitsch Defense
00620ae7 A12 Réti Opening: Anglo-Slav Variation, Capablanca Variation
007d007a C40 King's Pawn Game: La Bourdonnais Gambit
00872d81 A56 Benoni Defense: Czech Benoni Defense
0095a729 A60 Benoni Defense: Modern Variation
009ecfba A05 King's Indian Attack: Smyslov Variation
010252a7 A13 English Opening: Romanishin Gambit
0104ddb6 C23 Bishop's Opening: Lewis Countergambit
010a16b9 D02 Queen's Pawn Game: Levitsky Attack, Euwe Variation, Modern Line
014eb1a0 B06 Modern Defense: Anti-Modern
01542882 A00 Polish Opening, with d5
01630dcc A08 Zukertort Opening: Reversed Grünfeld
016a650b C00 French Defense: Baeuerle Gambit
018e736c B10 Caro-Kann Defense: Labahn Attack
019b47d2 A49 Indian Defense: Przepiorka Variation
019bd70e A22 English Opening: Carls-Bremen System
01a0fd63 D00 Blackmar-Diemer Gambit: Diemer-Rosenberg Attack
01b59478 D39 Queen's Gambit Declined: Ragozin Defense, Vienna Variation
01bdbac3 D30 Queen's Gambit Declined: Spielmann Variation
01d33d55 C05 French Defense: Tarrasch Variation, Closed Variation
0232166c B27 Pterodactyl Defense: Sicilian, Benoni Gambit
0238e6de C44 Ponziani Opening: Ponziani Countergambit, Schmidt Attack
027bae46 C34 King's Gambit Accepted: King's Knight's Gambit
027bb7f0 B51 Sicilian Defense: Moscow Variation
027febf0 A20 English Opening: King's English Variation, Nimzowitsch Variation
028efd68 A10 English Opening: Anglo-Scandinavian Defense, Löhn Gambit
0291bb8f C25 Vienna Gambit, with Max Lange Defense: Steinitz Gambit, Main Line
029615ba B10 Caro-Kann Defense: Endgame Variation
0299c93e B27 Pterodactyl Defense: Western, Rhamphorhynchus
02a8c0b0 C30 King's Gambit Declined: Classical Variation, Walthoffen Attack
02f74196 A04 Zukertort Opening: Lisitsyn Gambit
0302ae1f A40 Pterodactyl Defense: Fianchetto, Queen Benoni Pterodactyl
0325f156 B04 Alekhine Defense: Modern Variation, Larsen Variation
0326f528 C45 Scotch Game: Alekhine Gambit
0339737a A48 Queen's Pawn Game: Barry Attack
033f2bbe B12 Caro-Kann Defense: Advance Variation, Bayonet Attack
034b3b5b A45 Trompowsky Attack: Raptor Variation, Hergert Gambit
036fb900 A00 Mieses Opening: Myers Spike Attack
037b9499 D24 Queen's Gambit Accepted
039ee895 A46 Döry Defense
03bcda98 A00 Grob Opening: Zilbermints Gambit, Schiller Defense
0473c087 B27 Sicilian Defense: Jalalabad Variation
049bf9e3 B50 Sicilian Defense: Kotov Gambit
04bf3ad2 C56 Italian Game: Scotch Gambit, Max Lange Attack
04d372d0 A40 Kangaroo Defense: Keres Defense, Transpositional Variation
04db9066 C78 Ruy Lopez: Morphy Defense
04eb48e2 C17 French Defense: Winawer Variation, Bogoljubow Variation
0540175e C65 Ruy Lopez: Berlin Defense
054dbbcb E45 Nimzo-Indian Defense: St. Petersburg Variation, Fischer Variation
0567dabf C56 Italian Game: Two Knights Defense, Perreux Variation
056cc956 A91 Dutch Defense: Classical Variation, Blackburne Attack
05a3df62 D23 Queen's Gambit Accepted
05a54142 C00 French Defense: Hoffmann Gambit
05a98dcc C58 Italian Game: Two Knights Defense, Polerio Defense
05d55a2d A04 Zukertort Opening: Ross Gambit
05de2111 A02 Bird Opening: Double Duck Formation
05eb7f55 C57 Italian Game: Two Knights Defense, Knight Attack, Normal Variation
063f19f9 B20 Sicilian Defense: Gloria Variation
0660bf64 C25 Vienna Game: Hamppe-Meitner Variation
06721be5 A04 Zukertort Defense: Kingside Variation
06c160cf A00 Hungarian Opening: Reversed Modern Defense
06e375f0 D00 Blackmar-Diemer Gambit Accepted: Ritter Defense
06fab636 C35 King's Gambit Accepted: Cunningham Defense
077bb92e B40 Sicilian Defense: French Variation, Open
07893741 C42 Petrov's Defense: Damiano Variation, Kholmov Gambit
079c073d C60 Ruy Lopez: Retreat Variation
07a776f6 A40 Englund Gambit Declined: Reversed French
07dd1b94 C64 Ruy Lopez: Classical Variation, Spanish Wing Gambit
07e27035 D00 Queen's Pawn Game: Levitsky Attack, Welling Variation
07f96ab6 A12 Réti Opening: Anglo-Slav Variation, Capablanca Variation
07ffa8e9 B40 Sicilian Defense: French Variation, Normal
084d85fc A00 Polish Opening: Schiffler-Sokolsky Variation
0860cb8f B06 Pterodactyl Defense: Austrian, Grand Prix Pterodactyl
086d020f A10 English Opening: Great Snake Variation
0883cf84 C24 Bishop's Opening: Krejcik Gambit
08cb6281 D31 Semi-Slav Defense: Noteboom Variation, Anti-Noteboom Variation
08d35dc7 C40 Latvian Gambit Accepted: Main Line
08edefad A50 Indian Defense: Pyrenees Gambit
08ee9a06 A21 English Opening: King's English Variation, Reversed Sicilian
08f6ac41 C30 King's Gambit Declined: Classical, Hanham Variation
09059c93 C33 King's Gambit Accepted: Breyer Gambit
0916f63c D00 Blackmar-Diemer Gambit Declined: O'Kelly Defense
093c95df C30 King's Gambit Declined: Senechaud Countergambit
09c47e0e A14 English Opening: Agincourt Defense, Neo-Catalan Declined
0a0dfd58 B20 Sicilian Defense: Myers Attack, with h4
0a7b28ce B01 Scandinavian Defense: Portuguese Gambit, Elbow Variation
0a9ff31d D02 Queen's Pawn Game: Zilbermints Countergambit
0aa1134b C48 Four Knights Game: Spanish Variation, Classical Variation
0adc28e6 C15 French Defense: Winawer Variation, Fingerslip Variation
0afd1ed7 A28 English Opening: King's English Variation, Four Knights Variation
0b1c07b8 A00 Valencia Opening
0b3d6e8d B00 Goldsmith Defense
0b6b61c7 C28 Vienna Game: Stanley Variation, Three Knights Variation
0b78df43 C27 Bishop's Opening: Boden-Kieseritzky Gambit
0ba1fb75 A15 English Opening: Anglo-Indian Defense, King's Indian Formation, Double Fianchetto
0ba30cb0 C51 Italian Game: Evans Gambit, Mayet Defense
0bcb6860 C51 Italian Game: Evans Gambit Accepted
0bf3c71a B43 Sicilian Defense: Kan Variation, Knight Variation
0c156e21 A47 Pseudo Queen's Indian Defense
0c2845fb A05 Zukertort Opening
0c2f111a B06 Pterodactyl Defense: Eastern, Pteranodon
0c38d980 B00 Nimzowitsch Defense: Kennedy Variation, de Smet Gambit
0c4c3864 A12 Réti Opening: Anglo-Slav Variation, Torre System
0c7cd675 C34 King's Gambit Accepted: Fischer Defense, Spanish Variation
0d374536 E60 King's Indian Defense: Fianchetto Variation
0d47bc1b A81 Dutch Defense: Semi-Leningrad Variation
0d5ec163 C48 Four Knights Game: Spanish Variation, Rubinstein Variation Accepted
0d616b5f C12 French Defense: McCutcheon Variation
0da97383 A16 English Opening: Anglo-Indian Defense, Anglo-Grünfeld Variation
0dbd8735 A00 Polish Opening: Queen's Indian Variation
0dbe6f75 A04 Zukertort Opening: Shabalov Gambit
0de2e10a C45 Scotch Game: Horwitz Attack
0e181314 C33 King's Gambit Accepted: Bishop's Gambit, Boden Variation
0e517eeb C30 King's Gambit Declined: Petrov's Defense
0e8cc1c4 A18 English Opening: Mikenas-Carls Variation
0e8f0a19 A00 Van Geet Opening: Dunst-Perrenet Gambit
0ea1d8b1 A07 King's Indian Attack, with e6
0ecf29d6 C44 Scotch Game: Göring Gambit, Double Pawn Sacrifice
0ed7538f E15 Queen's Indian Defense: Fianchetto Variation, Sämisch Variation
0eee3f86 E60 Queen's Pawn, Mengarini Attack
0f035190 B00 Owen Defense: Hekili-Loa Gambit
0f0cdf32 A52 Indian Defense: Budapest Gambit Accepted, Main Line, Alekhine Variation, Tartakower Defense
0f646afb D40 Queen's Gambit Declined: Semi-Tarrasch Defense
0f88626f A04 Zukertort Opening: Polish Defense
0fab2855 C37 King's Gambit Accepted: King's Knight's Gambit
0fc1427d C41 Philidor Defense: Nimzowitsch Variation
0fc1983e C00 French Defense: Two Knights Variation
0fc94d68 A36 English Opening: Symmetrical Variation, Two Knights, Fianchetto Variation
0ff8a1de D07 Queen's Gambit Declined: Chigorin Defense
10077506 D00 Queen's Pawn Game: Stonewall Attack
101f7945 B07 Pirc Defense: 150 Attack, Inner Doll Defense
104dee1b D80 Grünfeld Defense
1056e136 E21 Nimzo-Indian Defense: Three Knights Variation
105b4cdb D20 Queen's Gambit Accepted: Old Variation
1060e34a C40 King's Pawn Game: Busch-Gass Gambit, Chiodini Gambit
1067edda C31 King's Gambit Declined: Falkbeer Countergambit, Staunton Line
10726051 C53 Italian Game: Classical Variation, Center Holding Variation
108a3c3e B01 Scandinavian Defense: Zilbermints Gambit
10b2edce D00 Blackmar-Diemer Gambit: Lemberger Countergambit
10e16e64 B06 Modern Defense: Two Knights Variation
10e560ed A00 Van Geet Opening: Sleipnir Gambit
10e61395 C25 Vienna Game: Anderssen Defense
10eaa9e2 B28 Sicilian Defense: O'Kelly Variation, Yerevan System
110b784a D00 Blackmar-Diemer Gambit Declined: Lamb Defense
11102505 E15 Queen's Indian Defense: Fianchetto Variation, Traditional Line
115747ad C46 Three Knights Opening: Winawer Defense
11c1c6bd B07 Czech Defense
11c7b1e3 B20 Sicilian Defense
11f0ca5b B14 Caro-Kann Defense: Panov Attack, Fianchetto Defense
11f4db90 B20 Sicilian Defense: Amazon Attack
125dbeea B01 Scandinavian Defense: Modern Variation
125f9329 D31 Semi-Slav Defense: Gunderam Gambit
1276e7e0 A00 Polish Opening: Outflank Variation, Schuehler Gambit
127e9b7d A00 Grob Opening: Grob Gambit Declined
12a289d8 B12 Caro-Kann Defense: Mieses Attack, Landau Gambit
12a43611 B28 Sicilian Defense: O'Kelly Variation, Venice System, Steiner Line
12b700d9 D30 Semi-Slav Defense: Quiet Variation
12cac38e E20 Nimzo-Indian Defense: Kmoch Variation
12cd657a C00 French Defense: Alapin Gambit
12e64221 C60 Ruy Lopez: Alapin Defense, Alapin Gambit
12fe1782 B29 Sicilian Defense: Nimzowitsch Variation, Advance Variation
13026076 A80 Dutch Defense: Krejcik Gambit
130bdd60 C45 Scotch Game: Potter Variation
13258b7d E14 Queen's Indian Defense, with e3, Bb4+ Line
134b6244 E61 King's Indian Defense
138d2297 B10 Caro-Kann Defense: Scorpion-Horus Gambit
138e38cf C20 King's Pawn Game: Wayward Queen Attack, Kiddie Countergambit
1395cd02 D07 Queen's Gambit Declined: Chigorin Defense, Modern Gambit
13d29c7f A45 Queen's Pawn Game: Chigorin Variation
13d5815e A40 Englund Gambit Declined: Reversed Mokele Mbembe
13fd2572 A36 English Opening: Symmetrical Variation, Botvinnik System
140b816b A21 English Opening: King's English Variation, Keres Defense
142e8761 E34 Nimzo-Indian Defense: Classical Variation, Noa Variation
14638513 A53 Old Indian Defense: Janowski Variation
1470964d A06 Zukertort Opening: Pachman Gambit
1498d37b B05 Alekhine Defense: Modern Variation, Flohr Variation
14a25efe B21 Sicilian Defense: Smith-Morra Gambit Declined, Push Variation
14de6aad A10 English Opening: Myers Gambit
14e89ba0 C41 Philidor Defense: Exchange Variation
1505dc1c C44 Scotch Game: Haxo Gambit
15077854 C51 Italian Game: Evans Gambit Declined, Cordel Variation
154ba06e A00 Hungarian Opening: Burk Gambit
154c7600 D02 Queen's Pawn Game: Zukertort Variation
155def3c D00 Queen's Pawn Game
157db441 A10 English Opening: Zilbermints Gambit
1581e001 D11 Slav Defense: Quiet Variation, Pin Defense
15a8c453 C00 Rat Defense: Small Center Defense
15ae5368 B13 Caro-Kann Defense: Panov Attack
15b8932c E02 Catalan Opening: Open Defense
15e2645a A15 English Orangutan
15ed9886 B06 Modern Defense: Pseudo-Austrian Attack
16040e64 B40 Sicilian Defense: French Variation, Westerinen Attack
161301db D00 Blackmar-Diemer Gambit: Zeller Defense, Soller Attack
1626ce71 A12 Réti Opening: Anglo-Slav Variation, Bled Variation
164c3b66 A00 Van Geet Opening: Napoleon Attack
164ccc17 A04 Zukertort Opening: Drunken Cavalry Variation
166a036c A46 Queen's Pawn Game: Veresov Attack, Classical Defense
1678ee16 E11 Bogo-Indian Defense: Grünfeld Variation
16939d8c D00 Amazon Attack
1697e4a8 A50 Mexican Defense: Horsefly Gambit
16a0c07a D51 Queen's Gambit Declined: Modern Variation, Knight Defense
16b28c45 A15 English Opening: Anglo-Indian Defense, Queen's Indian Formation
16c6cd8e A54 Old Indian Defense: Duz-Khotimirsky Variation
16e656a0 D00 Blackmar-Diemer Gambit
16f751df E12 Queen's Indian Defense: Petrosian Variation, Farago Defense
174889e3 D30 Queen's Gambit Declined: Capablanca Variation
17605741 C44 Latvian Gambit: Clam Gambit
176916d6 E60 Indian Defense: Anti-Grünfeld, Basman-Williams Attack
17872472 A09 Réti Opening: Réti Gambit, Keres Variation
179ed0ac C47 Four Knights Game: Scotch Variation, Krause Gambit, Leonhardt Defense
17cea743 B06 Modern Defense: Two Knights Variation, Suttles Variation
17e9d554 A00 Grob Opening
17edd151 B00 Barnes Defense
183437cc D01 Richter-Veresov Attack: Richter Variation
185396fc B06 Pterodactyl Defense: Fianchetto, Rhamphorhynchus
18824bac A00 Van't Kruijs Opening: Bouncing Bishop Variation
18953550 A05 Polish Opening: Zukertort System
18c8e3b7 B01 Scandinavian Defense: Kiel Variation
18cba993 A09 Réti Opening: Advance Variation, Navara Gambit
18ddddbf C46 Three Knights Opening: Schlechter Variation
196c377d B11 Caro-Kann Defense: Two Knights Attack, Mindeno Variation
1987d767 B06 Modern Defense
19a11073 A04 Zukertort Opening: Queenside Fianchetto Variation
19aee45b C20 King's Pawn Game
19b00589 C24 Bishop's Opening: Kitchener Folly
19d4ac80 A00 Saragossa Opening
19d690aa B00 Nimzowitsch Defense: Scandinavian Variation, Bogoljubow Variation, Nimzowitsch Gambit
19e76ef8 E40 Nimzo-Indian Defense: Rubinstein System
19f8fdaf A00 Polish Opening: King's Indian Variation
1a3af229 C39 King's Gambit Accepted: King's Knight's Gambit
1a5f9ded B00 Nimzowitsch Defense: Kennedy Variation, Main Line
1a7d3567 D16 Slav Defense: Alapin Variation
1a99c5c3 B40 Sicilian Defense: French Variation
1aa33ef4 A03 Bird Opening: Williams Gambit
1aac624d C15 French Defense: Winawer Variation, Delayed Exchange Variation
1abb9c3d D90 Grünfeld Defense: Three Knights Variation
1b0d3a0e C51 Italian Game: Evans Gambit
1b12701b A04 Zukertort Opening: Pirc Invitation
1b33a47f C08 French Defense: Tarrasch Variation, Open System, Advance Line
1b854fe9 E11 Bogo-Indian Defense: Vitolins Variation
1bd74953 C34 King's Gambit Accepted: Schallopp Defense, Tashkent Attack
1bd9ffa3 A22 English Opening: King's English Variation, Two Knights Variation
1bedaadf D00 Queen's Pawn Game: Accelerated London System, Steinitz Countergambit Accepted
1c075e01 A38 English Opening: Symmetrical Variation, Full Symmetry Line
1c4fa4b9 C44 Ponziani Opening: Steinitz Variation
1c576f29 A42 Modern Defense: Randspringer Variation
1cba0de7 E21 Nimzo-Indian Defense: Three Knights Variation, Euwe Variation
1cd081a4 A40 Englund Gambit Declined: Reversed Brooklyn
1d212668 E15 Queen's Indian Defense: Fianchetto Variation, Nimzowitsch Variation, Nimzowitsch Attack
1d4424e4 C45 Scotch Game: Classical Variation, Intermezzo Variation
1d520480 C47 Four Knights Game: Glek System
1d650dbc A46 Torre Attack: Wagner Gambit
1d902410 A90 Dutch Defense: Classical Variation
1d92769e B06 Pterodactyl Defense: Eastern, Benoni
1dc8ded8 A80 Dutch Defense: Senechaud Gambit
1dd413b9 C25 Vienna Game: Max Lange Defense
1de78445 D15 Slav Defense: Chebanenko Variation
1e098527 A84 Dutch Defense: Krause Variation
1e0a2a65 B22 Sicilian Defense: Alapin Variation, Barmen Defense
1e3db064 A57 Benko Gambit Declined: Main Line
1ecc0d89 D02 Queen's Pawn Game: Symmetrical Variation, Pseudo-Catalan
1ed1e5ba B22 Sicilian Defense: Alapin Variation, Barmen Defense
1eda797b D08 Queen's Gambit Declined: Albin Countergambit, Spassky Variation
1ee0f3c7 A43 Benoni Defense: Hawk Variation
1ef2b93e B06 Pterodactyl Defense: Sicilian, Siroccopteryx
1f5998be B07 Modern Defense: Geller's System
1fa8eddb C50 Italian Game: Paris Defense
1fb173a9 D23 Queen's Gambit Accepted: Mannheim Variation
20431e80 C65 Ruy Lopez: Classical Variation, Zukertort Gambit
204a5b19 D00 Blackmar-Diemer Gambit: Lemberger Countergambit, Soller Attack
2051146c B03 Alekhine Defense
206814ff A01 Nimzo-Larsen Attack: Indian Variation
207858b3 A21 English Opening: King's English Variation, Troger Defense
207d3770 E14 Queen's Indian Defense: Spassky System
2083f920 A06 Nimzo-Larsen Attack: Norfolk Gambit
208bc1ed D38 Queen's Gambit Declined: Ragozin Defense
20a93b0f A00 Ware Opening: Symmetric Variation
20c36ba2 A00 Grob Opening: Grob Gambit
2136bf72 B21 Sicilian Defense: McDonnell Attack, Tal Gambit
21417c07 E70 King's Indian Defense: Normal Variation
215f563b A40 English Defense
2170e67c C42 Petrov's Defense: Stafford Gambit Accepted
2184f892 B12 Caro-Kann Defense: Advance Variation, Van der Wiel Attack
2193ddd6 C50 Italian Game: Deutz Gambit
21e5b59c D17 Slav Defense: Czech Variation
21e7a63d B02 Alekhine Defense: Mokele Mbembe, Modern Line
21ef546f C50 Italian Game: Giuoco Pianissimo, Normal
221b70c4 B00 Pirc Defense: Roscher Gambit
221c0377 B10 Caro-Kann Defense
2223b425 A05 King's Indian Attack: Spassky Variation
22247598 D00 Blackmar-Diemer Gambit: Netherlands Variation
22833883 D07 Queen's Gambit Declined: Chigorin Defense
22a925a1 B01 Scandinavian Defense: Valencian Variation, Ilundain Variation
22dad884 C52 Italian Game: Evans Gambit, Main Line
22e74aa3 A56 Benoni Defense
23258bde E60 Indian Defense: Anti-Grünfeld, Alekhine Variation
236ac4de E47 Nimzo-Indian Defense: Normal Variation
237f44b6 C47 Four Knights Game: Italian Variation
23a82ea2 A40 English Defense: Hartlaub Gambit Accepted
23bd833b D31 Queen's Gambit Declined: Charousek Variation
23da8ad1 D00 Blackmar-Diemer Gambit: Lemberger Countergambit, Rasmussen Attack
23e7dee9 C53 Italian Game: Classical Variation, Closed Variation
24295638 A13 English Opening: Agincourt Defense, Catalan Defense
245c5689 B40 Sicilian Defense: Gaw-Paw Variation
247e48a4 B20 Sicilian Defense: Big Clamp Formation
24974c43 E11 Bogo-Indian Defense
2497f732 A03 Bird Opening: Thomas Gambit
24ac914f A41 Modern Defense
24bdc305 C42 Petrov's Defense: Classical Attack, Closed Variation
24d9a6d8 A53 Old Indian Defense: Janowski Variation, Main Line
250a7abd A86 Dutch Defense: Leningrad Variation
25406e74 A00 Van Geet Opening: Novosibirsk Variation
255bf2ca A40 Modern Defense: Lizard Defense, Pirc-Diemer Gambit
256280a7 A52 Indian Defense: Budapest Gambit Accepted, Main Line, Alekhine Variation, Abonyi Variation
25a240fc C42 Petrov's Defense: Millennium Attack
261d9dcf C45 Scotch Game: Modern Defense
26416e40 C50 Italian Game: Giuoco Pianissimo
2663dcc7 A47 Marienbad System
2667dcc7 B01 Scandinavian Defense: Portuguese Gambit, Lusophobe Variation
269d357d A52 Indian Defense: Budapest Gambit Accepted, Main Line, Alekhine Variation
26a7c3a7 A80 Dutch Defense
26b5c90f A00 Kádas Opening: Koola-Koola Variation
26c2498f E14 Queen's Indian Defense: Spassky System
26c49a55 B40 Sicilian Defense: Kveinis Variation
26c813f6 A09 Réti Opening: Penguin Variation
271ca2e3 C50 Italian Game: Giuoco Pianissimo, Dubois Variation
277b7f4d C64 Ruy Lopez: Classical Variation, Konikowski Gambit
279b6ee0 C20 Barnes Opening: Walkerling
27aeaab4 B00 Nimzowitsch Defense: Scandinavian Variation, Aachen Gambit
27bf6168 E12 Queen's Indian Defense: Petrosian Variation
27e4cf89 B15 Caro-Kann Defense: von Hennig Gambit
2838f66b C70 Ruy Lopez: Bird's Defense Deferred
285f2630 A28 English Opening: King's English Variation, Four Knights Variation, Korchnoi Line
286e43da D11 Slav Defense: Modern Line
2870984c B07 Lion Defense: Bayonet Attack
2887ad05 A43 Indian Defense: Pseudo-Benko
2896e1b6 A00 Polish Opening: King's Indian Variation, Schiffler Attack
28b22128 A80 Dutch Defense: Janzen-Korchnoi Gambit
28bb0ad5 A04 Zukertort Opening: Sicilian Invitation
28cc7095 C34 King's Gambit Accepted: Fischer Defense, Schulder Gambit
28e714b1 B02 Alekhine Defense: Normal Variation
28ecd28c C17 French Defense: Winawer Variation, Advance Variation
28f07317 D00 Blackmar-Diemer Gambit: Rasa-Studier Gambit
2932948b B00 Nimzowitsch Defense: Woodchuck Variation
295fd3ba B27 Pterodactyl Defense: Sicilian, Anhanguera
2968d93c B41 Sicilian Defense: Kan Variation, Maróczy Bind, Réti Variation
297a7006 A00 Grob Opening: Spike, Hurst Attack
29901382 C57 Italian Game: Two Knights Defense, Fritz Variation
29c0981e D00 Queen's Pawn Game: Accelerated London System, Steinitz Countergambit, Morris Countergambit
29f67d5c C00 French Defense: Pelikan Variation
2a13d1ef A15 English Opening: Anglo-Indian Defense, Queen's Indian Formation
2a15a59e A34 English Opening: Symmetrical Variation, Normal Variation
2a20af40 C10 French Defense: Paulsen Variation
2a60e87a B00 Nimzowitsch Defense: Pseudo-Spanish Variation
2a644326 C28 Bishop's Opening: Vienna Hybrid, Hromádka Variation
2a94ee2c C41 Philidor Defense: Nimzowitsch Variation, Sokolsky Variation
2aa3c43b A40 English Defense: Perrin Variation
2aa4e552 E61 King's Indian Defense: Smyslov Variation
2abc63a4 B30 Sicilian Defense: Nyezhmetdinov-Rossolimo Attack, San Francisco Gambit
2abdf5de B29 Sicilian Defense: Nimzowitsch Variation, Closed Variation
2acc6bf4 C02 French Defense: Advance Variation
2af4bbe9 A40 Montevideo Defense
2b3865b4 A83 Dutch Defense: Staunton Gambit, Chigorin Variation
2b3ec33a C33 King's Gambit Accepted: Bishop's Gambit, Bryan Countergambit
2b57ab98 C37 King's Gambit Accepted: Muzio Gambit, Brentano Defense
2b5c2421 C21 Center Game: Halasz-McDonnell Gambit, Crocodile Variation
2b8c4883 A00 Grob Opening: Keene Defense
2b9581df A42 Pterodactyl Defense: Central, Bogolubovia
2bba4099 B21 Sicilian Defense: Smith-Morra Gambit
2c02f9e0 D00 Blackmar-Diemer Gambit: Zeller Defense
2c1ef598 D00 Queen's Pawn Game: Mason Attack
2c1faf05 A00 Kádas Opening: Kádas Gambit
2c29ef2a B01 Scandinavian Defense: Main Line, Leonhardt Gambit
2c3fa900 A45 Trompowsky Attack: Classical Defense, Big Center Variation
2c47f28d C16 French Defense: Winawer Variation, Petrosian Variation
2c4bd3ab B40 Sicilian Defense: Drazic Variation
2c953cb0 A00 Clemenz Opening
2cade367 B06 Modern Defense: Mongredien Defense, with Nc3
2cb40041 C70 Ruy Lopez: Morphy Defense, Classical Defense Deferred
2cb5b300 D20 Queen's Gambit Accepted: Central Variation, Modern Defense
2cda562b B07 King's Pawn Game: Maróczy Defense
2d0924d8 B11 Caro-Kann Defense: Two Knights Attack, Mindeno Variation, Exchange Line
2d7ea072 C40 King's Pawn Game: Damiano Defense, Damiano Gambit, Chigorin Gambit
2dcf1a49 A04 Zukertort Opening: Kingside Fianchetto
2de75677 E14 Queen's Indian Defense, with e3
2e0bbb79 B02 Alekhine Defense: The Squirrel
2e158c18 B30 Sicilian Defense: Portsmouth Gambit
2e289d03 C31 King's Gambit Declined: Falkbeer Countergambit, Pickler Gambit
2eb286f0 A10 English Opening: Anglo-Dutch Defense, Hickmann Gambit
2eb8160b B30 Sicilian Defense: Old Sicilian
2ec753a4 B23 Sicilian Defense: Closed, Grob Attack
2ed9b85b C00 French Defense: St. George Defense
2ee5be9b B03 Alekhine Defense: Four Pawns Attack, Trifunovic Variation
2f4e8663 A41 Modern Defense: Neo-Modern Defense
2f5e867f A48 East Indian Defense
2f85153c A06 Zukertort Opening: Reversed Mexican Defense
2fb64392 C10 French Defense: Rubinstein Variation
2fba0796 A40 Englund Gambit: Hartlaub-Charlick Gambit
2fc4c7b2 A45 Indian Defense: Gedult Attack
2fcb6cc0 B00 Pirc Defense
2fd2df21 C07 French Defense: Tarrasch Variation, Open System
2fddc372 C40 Latvian Gambit: Lobster Gambit
30241d0a B34 Sicilian Defense: Accelerated Dragon, Modern Variation
30242bbf A00 Hungarian Opening: Myers Defense
303dd4fd A40 Australian Defense
305335a1 E40 Nimzo-Indian Defense: Rubinstein System, Taimanov Variation
30573521 A00 Van Geet Opening: Billockus-Johansen Gambit
306143c8 C44 Scotch Game: Göring Gambit, Main Line
3091756d C30 King's Gambit Declined: Miles Defense
30918d01 C25 Vienna Game: Zhuravlev Countergambit
3096d5be D11 Slav Defense: Modern Line
30b99036 E04 Catalan Opening: Open Defense
30d79055 C41 Philidor Defense: Boden Variation
30e18502 B53 Sicilian Defense: Chekhover Variation
30e823a4 A58 Benko Gambit Accepted: Fully Accepted Variation
31031527 A48 Queen's Pawn Game: Barry Attack
3114d4e7 A57 Benko Gambit Accepted: Pawn Return Variation
3127de68 B10 Caro-Kann Defense: Toikkanen Gambit
31b22101 C42 Petrov's Defense: Damiano Variation
31fe1af6 C44 King's Pawn Game: Tayler Opening, Inverted Hanham
32218a5d C48 Four Knights Game: Spanish Variation, Ranken Variation
3258563e A25 English Opening: King's English Variation, Closed System
3269fa40 C45 Scotch Game: Fraser Variation
328e376f B00 Nimzowitsch Defense: Colorado Countergambit Accepted
329cf508 C42 Petrov's Defense
32f9a7e2 D16 Slav Defense: Soultanbeieff Variation
330165e5 C42 Petrov's Defense: Cochrane Gambit, Center Variation
3322989e C23 Bishop's Opening: Lopez Variation
33498959 B40 Sicilian Defense: Paulsen-Basman Defense
3349c25a E80 King's Indian Defense: Sämisch Variation
334f4e55 C20 King's Pawn Game: Clam Variation, King's Gambit Reversed
3351b386 C17 French Defense: Winawer Variation, Advance Variation, Moscow Variation
3376ae05 A00 Amsterdam Attack
33a01a88 B02 Alekhine Defense: Maróczy Variation
33ae43b4 C77 Ruy Lopez: Morphy Defense, Anderssen Variation
33c15aaf C70 Ruy Lopez: Morphy Defense, Graz Variation
33dd42ab D00 Queen's Pawn Game: Chigorin Variation, Alburt Defense
3425398d A07 King's Indian Attack: Omega-Delta Gambit
344e829b C33 King's Gambit Accepted: Tartakower Gambit, Weiss Defense
344eada5 C21 Danish Gambit Accepted: Classical Defense
3498c30e C47 Four Knights Game: Scotch Variation, Schmid Defense
34ac2b71 B50 Sicilian Defense: Modern Variations, Anti-Qxd4 Move Order Accepted
34c3f91d D09 Queen's Gambit Declined: Albin Countergambit, Fianchetto Variation
34d44c24 B08 Pirc Defense: Classical Variation, Schlechter Variation
34e51d3f C65 Ruy Lopez: Berlin Defense, Beverwijk Variation
3507a034 C44 King's Pawn Game: Schulze-Müller Gambit
351cb700 A34 English Opening: Symmetrical Variation
353eefbf B01 Scandinavian Defense: Portuguese Gambit, Wuss Variation
35489edc C21 Danish Gambit Accepted: Svenonius Defense
3550b71b A11 Réti Opening: Anglo-Slav Variation, with g3
359f6a01 D04 Queen's Pawn Game: Colle System, Grünfeld Formation
35ac4071 D10 Slav Defense: Slav Gambit, Alekhine Attack
35b60a5e C02 French Defense: Advance Variation, Kupreichik Variation
35d0e194 E30 Nimzo-Indian Defense: Leningrad Variation
35e2a38b C55 Italian Game: Two Knights Defense, Modern Bishop's Opening
35f5d580 A00 Van Geet Opening: Tübingen Gambit
35fb9faf A00 Hungarian Opening: Paris Gambit
3610fd40 D00 Blackmar-Diemer Gambit Accepted: Pietrowsky Defense
3626ce24 C23 Bishop's Opening: Lewis Gambit
3631fc8a A46 Yusupov-Rubinstein System
3635d5ed A02 Bird Opening: Hobbs Gambit
3639cc8d B00 Nimzowitsch Defense: Kennedy Variation
36553403 C33 King's Gambit Accepted: Dodo Variation
3685ce54 B01 Scandinavian Defense: Portuguese Gambit
36bac874 B01 Scandinavian Defense: Icelandic-Palme Gambit
36bceb04 B13 Caro-Kann Defense: Exchange Variation, Bulla Attack
36c17169 C50 Italian Game: Anti-Fried Liver Defense
36eaaf72 A17 English Opening: Anglo-Indian Defense, Zvjaginsev-Krasenkow Attack
36f0e331 A83 Dutch Defense: Staunton Gambit
370d8f52 C20 King's Pawn Opening: Speers
3746efcc C41 Philidor Defense: Nimzowitsch Variation, Klein Variation
3753b1f8 D09 Queen's Gambit Declined: Albin Countergambit, Fianchetto Variation, Bf5 Line
37a123a7 B00 Nimzowitsch Defense
37bf0daa A00 Hungarian Opening: Reversed Norwegian Defense
37c6d3c3 A00 Hungarian Opening: Symmetrical Variation
37e7f42e C44 Scotch Game: Scotch Gambit, Kingside Variation
37f61b65 B27 Sicilian Defense: Bücker Variation
384d89e7 B40 Sicilian Defense: Smith-Morra Gambit Deferred
385c8f5e C56 Italian Game: Scotch Gambit, de Riviere Defense
385d2219 A43 Queen's Pawn Game: Liedmann Gambit
38604520 A43 Benoni Defense: Benoni-Indian Defense, Kingside Move Order
387573d9 C00 French Defense: St. George Defense, St. George Gambit
38859d59 B50 Sicilian Defense: Modern Variations
38a7afb6 B15 Caro-Kann Defense
38b8dbf2 A11 Réti Opening: Anglo-Slav Variation, Gurevich System
38d5c41d B00 Nimzowitsch Defense: Colorado Countergambit
38dcb488 B21 Sicilian Defense: Smith-Morra Gambit Declined, Alapin Formation
38eef40e C00 French Defense: Normal Variation
39a5619b C26 Vienna Game: Falkbeer Variation
39d018dc B06 Modern Defense: Bishop Attack, Monkey's Bum
3a24b6fa D02 Queen's Pawn Game: London System
3a43c421 A12 Réti Opening: Anglo-Slav Variation, Torre System
3aa9668a A40 Englund Gambit: Mosquito Gambit
3aabbf1f A00 Polish Opening: Dutch Defense
3aba8912 D21 Queen's Gambit Accepted: Godes Variation
3abc2e71 A04 Zukertort Opening: Queen's Gambit Invitation
3ad58884 B00 Nimzowitsch Defense: Declined Variation
3af26349 B06 Modern Defense: Gurgenidze Defense
3b08ec50 C33 King's Gambit Accepted: Bishop's Gambit, Gianutio Gambit
3b23110d B00 Nimzowitsch Defense: El Columpio Defense
3b28284e D44 Semi-Slav Defense Accepted
3b29e1c9 D02 Queen's Pawn Game: Anti-Torre
3b363a6e A00 Sodium Attack: Celadon Variation
3b71abe8 C11 French Defense: Steinitz Variation, Gledhill Attack
3bbedee9 B16 Caro-Kann Defense: Finnish Variation
3bd15b11 C01 French Defense: Exchange Variation, Bogoljubow Variation
3bf00b3a A02 Bird Opening: Platz Gambit
3c112376 E10 Blumenfeld Countergambit: Duz-Khotimirsky Variation
3c262447 C01 French Defense: Exchange Variation
3c38173c C44 Ponziani Opening
3c38ad4e B28 Sicilian Defense: O'Kelly Variation, Kieseritzky System
3c47f3f2 D15 Slav Defense: Three Knights Variation
3c5aec63 C43 Bishop's Opening: Urusov Gambit, Keidansky Gambit
3c7e6cad C57 Italian Game: Two Knights Defense, Traxler Counterattack
3c8c7081 C45 Scotch Game: Schmidt Variation
3c9ea5fe D96 Grünfeld Defense: Russian Variation
3ca217e1 A00 Grob Opening: Grob Gambit, Fritz Gambit, Romford Countergambit
3d354e5e C33 King's Gambit Accepted: Bishop's Gambit, Cozio Variation
3d3f9c72 C00 French Defense: Queen's Knight
3d584cc3 B17 Caro-Kann Defense: Karpov Variation
3d693f66 B22 Sicilian Defense: Alapin Variation
3d87b365 C07 French Defense: Tarrasch Variation, Chistyakov Defense
3d87ee08 B21 Sicilian Defense: Smith-Morra Gambit Accepted, Kan Formation
3d9d91a7 C25 Vienna Gambit, with Max Lange Defense: Knight Variation
3dd2677d C03 French Defense: Tarrasch Variation, Modern System
3de87a0c C46 Three Knights Opening
3dfcb803 B28 Sicilian Defense: O'Kelly Variation, Venice System, Ljubojevic Line
3dff2bdf B28 Sicilian Defense: O'Kelly Variation, Venice System, Barcza Line
3e0b90e7 A09 Réti Opening: Advance Variation
3e23f01c B02 Alekhine Defense: Steiner Variation
3e499c30 C40 Elephant Gambit: Paulsen Countergambit
3e4f959e A40 Englund Gambit: Soller Gambit Deferred
3e5da70e C51 Italian Game: Evans Gambit Declined
3e62f06e B13 Caro-Kann Defense: Panov Attack
3e9e2d60 A12 Réti Opening: Anglo-Slav Variation, London Defensive System
3ea4d93a B50 Sicilian Defense: Delayed Alapin Variation, with d6
3ece9ef2 C00 French Defense: Diemer-Duhm Gambit
3ed89a90 C25 Vienna Gambit, with Max Lange Defense: Cunningham Defense
3eedf2a2 D11 Slav Defense: Breyer Variation
3ef709d3 C25 Vienna Gambit, with Max Lange Defense: Pierce Gambit
3f562f97 B22 Sicilian Defense: Alapin Variation, Barmen Defense, Modern Line
3f5e0438 A48 London System
3f67caa6 C30 King's Gambit
3f75b460 C27 Vienna Game: Frankenstein-Dracula Variation
3f7b5269 D35 Queen's Gambit Declined: Normal Defense
3f8a21af C65 Ruy Lopez: Berlin Defense, Nyholm Attack
3fb354d3 B00 Nimzowitsch Defense: Scandinavian Variation, Bogoljubow Variation, Vehre Variation
3fb6f8d2 B10 Caro-Kann Defense: Spike Variation
3fcd6a1b B24 Sicilian Defense: Closed
3fd718bc C00 French Defense: Knight Variation
3fdfebcd D31 Queen's Gambit Declined: Charousek Variation, Miladinovic Gambit
3ff06f9f D03 Queen's Pawn Game: Torre Attack
3ff3f188 B23 Sicilian Defense: Closed
401faabd C33 King's Gambit Accepted: Gaga Gambit
407232dc B10 Caro-Kann Defense: Labahn Attack, Polish Variation
40cd98c1 C56 Italian Game: Scotch Gambit
40e56c4c B02 Alekhine Defense: Two Pawns Attack
4128ba5b C24 Bishop's Opening: Berlin Defense
41486b3a A40 Englund Gambit Declined: Reversed Alekhine
41561aed C00 French Defense: Franco-Sicilian Defense
41744189 A46 Torre Attack: Classical Defense, Nimzowitsch Variation
41ba61dc B28 Sicilian Defense: O'Kelly Variation, Maróczy Bind
41db45dd E10 Indian Defense: Dzindzi-Indian Defense
41fd918f C33 King's Gambit Accepted: Tartakower Gambit
4204bdc0 D20 Queen's Gambit Accepted: Central Variation, Rubinstein Defense
4208e4d5 B27 Sicilian Defense: Katalimov Variation
420ab17f A35 English Opening: Symmetrical Variation, Four Knights Variation
423f94a5 A15 English Opening: Anglo-Indian Defense, King's Indian Formation
4253894f B21 Sicilian Defense: Smith-Morra Gambit Declined, Dubois Variation
4280d0e5 C60 Ruy Lopez: Rotary-Albany Gambit
42859f70 B54 Sicilian Defense: Prins Variation
42947014 E60 King's Indian Defense: Fianchetto Variation, Immediate Fianchetto
42b0db56 B42 Sicilian Defense: Kan Variation, Modern Variation
42b23449 C02 French Defense: Advance Variation, Euwe Variation
42bd9137 B02 Alekhine Defense: Brooklyn Variation, Everglades Variation
42d8ae70 D90 Grünfeld Defense: Three Knights Variation
42e3dadf D43 Semi-Slav Defense
42fad7e3 C23 Bishop's Opening: McDonnell Gambit, La Bourdonnais-Denker Gambit
430514ee C02 French Defense: Advance Variation
431b5786 C33 King's Gambit Accepted: Bishop's Gambit, Maurian Defense
43291f43 B06 Pterodactyl Defense: Central, Anhanguera
432b5415 D00 Blackmar-Diemer Gambit: Blackmar Gambit
432bce57 B27 Pterodactyl Defense: Sicilian, Rhamphorhynchus
432be70d A00 Polish Opening: Birmingham Gambit
436b6ed2 D00 Blackmar-Diemer Gambit: Reversed Albin Countergambit
43795bee D20 Queen's Gambit Accepted: Linares Variation
43b424dc D16 Slav Defense: Steiner Variation
43f06614 B06 Pterodactyl Defense: Eastern, Rhamphorhynchus
4431593b B00 Nimzowitsch Defense: Scandinavian Variation, Bogoljubow Variation, Richter Gambit
44527b16 C01 French Defense: Exchange Variation
4479dafe C47 Four Knights Game: Naroditsky Variation
447f48b7 B00 Nimzowitsch Defense: Scandinavian Variation, Bogoljubow Variation, Erben Gambit
4480523f A00 Grob Opening: Grob Gambit, Richter-Grob Gambit
44a6c29e B06 Modern Defense: Standard Line
44abb9aa C01 French Defense: Exchange Variation, Monte Carlo Variation
44b3c2c6 C39 King's Gambit Accepted: Kieseritzky, Polerio Defense
44b4d515 B01 Scandinavian Defense: Modern Variation, Gipslis Variation
44d3324a C43 Petrov's Defense: Modern Attack, Center Attack
44efc096 D31 Semi-Slav Defense: Noteboom Variation, Anti-Noteboom Variation, Belyavsky Line
44f86654 A04 Colle System: Rhamphorhynchus Variation
453421c4 A03 Bird Opening: Dutch Variation, Dudweiler Gambit
455280b1 A90 Dutch Defense: Nimzo-Dutch Variation, Alekhine Variation
4586609a B10 Caro-Kann Defense: Breyer Variation
45958551 D15 Slav Defense: Süchting Variation
45c0f597 C40 Latvian Gambit: Corkscrew Countergambit
45d10a94 A02 Bird Opening: From's Gambit, Lasker Variation
45e71a37 A16 English Opening: Anglo-Indian Defense, Anglo-Grünfeld Variation
46345b62 A56 Benoni Defense: Weenink Variation
463cb0c6 B20 Sicilian Defense: Lasker-Dunne Attack
464dbe08 C00 French Defense: Horwitz Attack
465a2c6b B21 Sicilian Defense: Morphy Gambit, Andreaschek Gambit
46641ec9 A41 Zukertort Opening: Wade Defense, Chigorin Plan
468132e3 B00 Carr Defense: Zilbermints Gambit
46867c45 D06 Queen's Gambit Declined: Marshall Defense
4690cc44 E12 Queen's Indian Defense: Kasparov-Petrosian Variation
46b7931f A00 Ware Opening: Cologne Gambit
46d868c4 C23 Bishop's Opening: Thorold Gambit
46e75402 B10 Caro-Kann Defense: Two Knights Attack
47140627 A83 Dutch Defense: Staunton Gambit, Lasker Variation
472f1d31 C63 Ruy Lopez: Schliemann Defense, Kostić Defense
47abc4a4 C40 Latvian Gambit: Senechaud Gambit
47beb29e A53 Old Indian Defense: Aged Gibbon Gambit
47d75053 C64 Ruy Lopez: Classical Variation, Charousek Variation
47e8f1c9 C78 Ruy Lopez: Central Countergambit
47ffc6b3 B27 Sicilian Defense: Brussels Gambit
48234ffe A40 Mikenas Defense: Pozarek Gambit
482eb87b A00 Van't Kruijs Opening: Keoni-Hiva Gambit, Alua Variation
482f9085 C33 King's Gambit Accepted: Bishop's Gambit, Anderssen Variation
483f95a5 C22 Center Game: Normal Variation
484536ca C37 King's Gambit Accepted: Blachly Gambit
48dd980e C43 Petrov's Defense: Modern Attack, Murrey Variation
48de22a9 B01 Scandinavian Defense: Marshall Variation
4914ff1a C47 Four Knights Game: Gunsberg Variation, Provincial Opening
49199459 E17 Queen's Indian Defense: Traditional Variation
494251c8 E62 King's Indian Defense: Fianchetto Variation, Delayed Fianchetto
4972adc7 A82 Dutch Defense: Blackmar's Second Gambit
4999158e A00 Hungarian Opening: Asten Gambit
49a0ec89 C31 King's Gambit Declined: Falkbeer Countergambit Accepted
49e4ed7f B46 Sicilian Defense: Taimanov Variation
4a04033e D00 Blackmar-Diemer Gambit: Lemberger Countergambit, Lange Gambit
4a068399 C41 Philidor Defense: Philidor Gambit
4a1b5d97 B10 Caro-Kann Defense
4a4742fe C67 Ruy Lopez: Berlin Defense, Rio Gambit Accepted
4ac0a7d0 B40 Sicilian Defense: Wing Gambit Deferred
4af8b3e0 B07 Pirc Defense: Kholmov System
4afe93b0 C11 French Defense: Henneberger Variation
4b054d55 C57 Italian Game: Two Knights Defense, Traxler Counterattack, Knight Sacrifice Line
4b1c15ba C42 Petrov's Defense: Stafford Gambit
4b382a6d C02 French Defense: Advance Variation
4b42b81b A51 Indian Defense: Budapest Gambit Accepted, Fajarowicz Defense, Bonsdorf Variation
4b533258 D00 Blackmar-Diemer Gambit Declined: Langeheinicke Defense
4b7d4087 C64 Ruy Lopez: Classical Variation, Cordel Gambit
4b87deca D00 Blackmar-Diemer Gambit Declined: Vienna Defense
4bb487ad A00 Kádas Opening: Schneider Gambit
4bcf59a4 E00 Indian Defense: Devin Gambit
4c317d12 C30 King's Gambit Declined: Panteldakis Countergambit, Greco Variation
4c3c0f1c A84 Dutch Defense
4c411ef2 C53 Italian Game: Classical Variation
4c6602a5 B30 Sicilian Defense: Closed, Anti-Sveshnikov Variation, with Nf6
4c8153ad B00 Hippopotamus Defense
4cb299a0 B27 Sicilian Defense
4cb3d809 B12 Caro-Kann Defense: Ulysses Gambit
4cd6233b B32 Sicilian Defense: Godiva Variation
4ce7edb6 D00 Queen's Pawn Game: Chigorin Variation
4d16dc9c B22 Sicilian Defense: Heidenfeld Variation
4d1d6875 A17 English Opening: Anglo-Indian Defense
4d3e5b57 A00 Van Geet Opening: Melleby Gambit
4d578727 C47 Four Knights Game: Scotch Variation, Belgrade Gambit
4d7e0d3b E60 Indian Defense: West Indian Defense
4d8e1501 C02 French Defense: Advance Variation, Steinitz Variation
4ddbf22f B00 Carr Defense
4e0172e3 E38 Nimzo-Indian Defense: Classical Variation, Berlin Variation, Steiner Variation
4e2ef3ef C44 Scotch Game: Scotch Gambit, Sarratt Variation
4e3471b7 A43 Benoni Defense: Zilbermints-Benoni Gambit
4e3bd3ed B02 Alekhine Defense: Scandinavian Variation
4e479801 C60 Ruy Lopez: Spanish Countergambit
4e772293 B06 Pterodactyl Defense: Austrian, Austriadactylus Western
4e90a8ab A48 Indian Defense: Colle System, King's Indian Variation
4eb210bf C00 French Defense: Franco-Hiva Gambit
4ece4682 A01 Nimzo-Larsen Attack: Spike Variation
4eefa0b9 A00 Polish Opening: Baltic Defense
4f10a2f2 B00 Rat Defense: Fuller Gambit
4f37d812 D05 Queen's Pawn Game: Colle System
4f5be04d C23 Bishop's Opening: Lewis Countergambit
4fb0590d A56 Benoni Defense: King's Indian System
4fbb0776 B12 Caro-Kann Defense
4fbe80c1 A48 London System
4fd61eeb B30 Sicilian Defense: Closed, Anti-Sveshnikov Variation, with d6
4fe01798 A43 Benoni Defense: Zilbermints-Benoni Gambit, Tamarkin Countergambit
4fec4b7f A40 English Defense
500004d4 D15 Slav Defense: Two Knights Attack
50177207 A25 English Opening: King's English Variation, Taimanov Variation
50542ff7 C68 Ruy Lopez: Exchange Variation, Lutikov Variation
507c7db4 C77 Ruy Lopez: Morphy Defense, Mackenzie Variation
50872005 B50 Sicilian Defense: Modern Variations, Tartakower
50a29e69 D00 Blackmar-Diemer Gambit: von Popiel Gambit
50e4f323 D50 Queen's Gambit Declined: Been-Koomen Variation
50eabe72 C31 Van Geet Opening: Grünfeld Defense, Steiner Gambit
50ead7a3 E81 King's Indian Defense: Sämisch Variation, Normal Defense
51016820 C67 Ruy Lopez: Berlin Defense, Rosenthal Variation
51052317 C37 King's Gambit Accepted: Rosentreter Gambit, Sörensen Gambit
5110424f C00 French Defense
5112ef71 C00 French Defense: St. George Defense, Sanky-George Gambit
511553ff C30 King's Gambit Declined: Classical, Soldatenkov Variation
511a6fab A30 English Opening: Symmetrical Variation
511a9c3a D31 Semi-Slav Defense: Noteboom Variation
511aa972 D20 Queen's Gambit Accepted: Central Variation, Greco Variation
5137cbc7 D00 Blackmar-Diemer Gambit Accepted
513e65d6 A08 King's Indian Attack: Sicilian Variation
51b38924 B12 Caro-Kann Defense: Advance Variation, Short Variation
51bc87de D01 Richter-Veresov Attack: Two Knights System
51c6e639 C42 Petrov's Defense
51d18f98 B20 Sicilian Defense: Wing Gambit
51d88bd2 B13 Caro-Kann Defense: Exchange Variation
51ea30c5 D00 Queen's Pawn Game: Accelerated London System, Steinitz Countergambit
52505549 C50 Italian Game: Jerome Gambit
5260818a B06 Modern Defense: Three Pawns Attack
52719a5b B00 Nimzowitsch Defense: Mikenas Variation
527764b6 E12 Queen's Indian Defense: Miles Variation
528b4b9d C70 Ruy Lopez: Morphy Defense, Alapin's Defense Deferred
529569ab B00 Lemming Defense
5298dce3 A40 English Defense: Eastbourne Gambit
52aa5255 D37 Queen's Gambit Declined: Barmen Variation
52d66a19 B23 Sicilian Defense: Closed
53278de2 A00 Mieses Opening
533b857b C43 Petrov's Defense: Modern Attack, Tal Gambit
53466aa9 D02 Queen's Pawn Game: London System, with e6
535c09d5 C41 Philidor Defense: Philidor Countergambit
5383fa06 D73 Neo-Grünfeld Defense: with g3
53904bb6 C45 Scotch Game
53b38e2a B12 Caro-Kann Defense: Advance Variation, Prins Attack
546714f8 C44 Scotch Game: Scotch Gambit, Göring Gambit Declined
54826dcb D01 Richter-Veresov Attack: Boyce Defense
54956747 C00 French Defense: King's Indian Attack, Franco-Hiva Gambit
549d9be3 A20 English Opening: King's English Variation
54b9b6df C25 Vienna Game: Paulsen Variation
54e92d0f D50 Queen's Gambit Declined: Pseudo-Tarrasch Variation
5500999a A15 English Opening: Anglo-Indian Defense, King's Knight Variation
554122db B00 Nimzowitsch Defense: Scandinavian Variation
5544dc6c B02 Alekhine Defense: Two Pawns Attack, Lasker Variation
555825a9 B00 Borg Defense: Borg Gambit
555a3d74 B06 Modern Defense: Dunworthy Variation
55628aac A02 Bird Opening: Schlechter Gambit
559ded07 A04 Zukertort Opening: Vos Gambit
55b28431 E12 Queen's Indian Defense: Kasparov-Petrosian Variation, Hedgehog Variation
55b59c1b C44 Scotch Game: Napoleon Gambit
55b921cd A01 Nimzo-Larsen Attack: Modern Variation
55c01f7f C60 Ruy Lopez: Spanish Countergambit, Harding Countergambit, Fricke Gambit
55d872be A25 English Opening: King's English Variation, Reversed Closed Sicilian
55f7388e C44 Ponziani Opening: Vukovic Gambit
561e12a3 A82 Dutch Defense: Staunton Gambit, Tartakower Variation
562b04a5 C66 Ruy Lopez: Berlin Defense, Improved Steinitz Defense
5647a193 A40 Englund Gambit Declined: Diemer Counterattack
565656ad A05 King's Indian Attack
56844168 C26 Vienna Game: Mengarini Variation
569f16c0 A06 Zukertort Opening: The Potato
56b938fc C30 King's Gambit Declined: Classical Variation
56cb8d91 D30 Queen's Gambit Declined: Vienna Variation
56d53209 C13 French Defense: Classical Variation, Normal Variation
56dd74fb C33 King's Gambit Accepted: Bishop's Gambit, Bogoljubow Variation
56e01397 A13 English Opening: Agincourt Defense, Catalan Defense, Semi-Slav Defense
56f1c991 A20 English Opening: Drill Variation
5713afc3 C09 French Defense: Tarrasch Variation, Open System, Main Line
571619b5 A50 Slav Indian
57275417 C31 King's Gambit Declined: Falkbeer Countergambit, Modern Transfer
5757d7cb A10 English Opening: Porcupine Variation
576eea16 B23 Sicilian Defense: Closed
57ab5b42 A48 London System, with Bd3
57ba4aab C13 French Defense: Classical Variation, Richter Attack
57c827b4 D06 Queen's Gambit
57e896e1 C44 Scotch Game: Scotch Gambit, Advance Variation
58370883 A04 Zukertort Opening: Arctic Defense
5849adf5 C77 Ruy Lopez: Morphy Defense, Bayreuth Variation
5858e326 A12 Réti Opening: Anglo-Slav Variation, Torre System
5889c852 D20 Queen's Gambit Accepted
58acf0f2 A45 Trompowsky Attack: Edge Variation
58ae3aaa C20 King's Pawn Game: King's Head Opening
58b65fc6 B10 Caro-Kann Defense: Accelerated Panov Attack
58bbd219 B00 Ware Defense
58cfd84d A13 English Opening: Agincourt Defense
58d5feee A01 Nimzo-Larsen Attack: Ringelbach Gambit
58dc66d0 B00 Owen Defense: Naselwaus Gambit
592e89ef A00 Polish Opening: Symmetrical Variation
59522ffe A31 English Opening: Symmetrical Variation, Anti-Benoni Variation
59603cc8 A00 Grob Opening: Romford Countergambit
597059cb D08 Queen's Gambit Declined: Albin Countergambit, Normal Line
597866c5 C03 French Defense: Tarrasch Variation, Guimard Defense
598eb7db B13 Caro-Kann Defense: Panov Attack, Modern Defense
599ef796 C37 King's Gambit Accepted: Rosentreter Gambit, Testa Variation
59a25422 A80 Dutch Defense: Spielmann Gambit
59a8601c D07 Queen's Gambit Declined: Chigorin Defense
59bbf4a2 C42 Petrov's Defense: Cozio Attack
59cfaf6d A36 English Opening: Symmetrical Variation, Botvinnik System Reversed, with e3
59cfd288 C44 Scotch Game: Benima Defense
59d90579 D03 Queen's Pawn Game: Torre Attack, Gossip Variation
5a0847b1 D06 Queen's Gambit Declined: Zilbermints Gambit
5a1359b5 B06 Pterodactyl Defense: Sicilian, Quetzalcoatlus
5a28ab6e A43 Benoni Defense: French Benoni
5a4b775d C44 Irish Gambit
5a8baccb E33 Nimzo-Indian Defense: Classical Variation, Zurich Variation
5a949c0f C21 Center Game: von der Lasa Gambit
5aa34766 C42 Petrov's Defense: Classical Attack
5aec6cc8 B09 Pirc Defense: Austrian Attack
5b075be3 B28 Sicilian Defense: O'Kelly Variation, Maróczy Bind, Robatsch Line
5b172fd5 B01 Scandinavian Defense: Main Line
5b1f3393 C42 Petrov's Defense: Paulsen Attack
5b3b7fa4 C02 French Defense: Advance Variation, Paulsen Attack
5b4a623a A00 Polish Opening: Tartakower Gambit
5b849699 C70 Ruy Lopez: Morphy Defense
5b890654 C00 French Defense: La Bourdonnais Variation, Reuter Gambit
5b89a213 B13 Caro-Kann Defense: Exchange Variation
5bf954bd A84 Dutch Defense: Normal Variation
5c1a8dd0 C62 Ruy Lopez: Steinitz Defense
5c28d764 B12 Caro-Kann Defense: Modern Variation
5c2a8149 B34 Sicilian Defense: Accelerated Dragon, Exchange Variation
5c5ba254 C40 Latvian Gambit Accepted: Leonhardt Variation
5c5e680c C20 Portuguese Opening: Miguel Gambit
5c6acd78 E71 King's Indian Defense: Makogonov Variation
5c6c0796 A08 King's Indian Attack: Sicilian Variation
5c744880 D80 Grünfeld Defense: Lutikov Variation
5c792e58 A07 King's Indian Attack
5c99d4a3 A43 Benoni Defense: Snail Variation
5ca91813 B10 Caro-Kann Defense: Spike Variation, Scorpion-Grob Gambit
5cb2a15a C22 Center Game: Paulsen Attack Variation
5ce7cee7 E12 Queen's Indian Defense
5ced1fd2 B21 Sicilian Defense: Smith-Morra Gambit Declined, Center Formation
5cee0dc5 B00 Borg Defense: Troon Gambit
5cee3c4b A07 King's Indian Attack: Pachman System
5cf00d27 C69 Ruy Lopez: Exchange Variation, Bronstein Variation
5d5c0c75 A15 English Opening: Anglo-Indian Defense, Slav Formation
5d5eeaab A15 English Opening: Anglo-Indian Defense, Romanishin Variation
5d67ac4f B20 Sicilian Defense: Wing Gambit, Marienbad Variation
5d87d02d B03 Alekhine Defense: Four Pawns Attack, Cambridge Gambit
5da35fea C20 Center Game
5dad7d08 D01 Richter-Veresov Attack
5dc40047 D41 Queen's Gambit Declined: Semi-Tarrasch Defense
5e30001c C64 Ruy Lopez: Classical Defense, Zaitsev Variation
5e4e263d D01 Rapport-Jobava System
5e639879 A43 Benoni Defense: Old Benoni, Schmid Variation
5e834511 D26 Queen's Gambit Accepted: Classical Defense
5ea82f57 D31 Semi-Slav Defense: Accelerated Move Order
5ea8ec67 C00 French Defense: Mediterranean Defense
5ec93f6f B42 Sicilian Defense: Kan Variation, Swiss Cheese Variation
5ed08a10 A48 London System, with Be2
5ee67ff1 B27 Pterodactyl Defense: Western, Pterodactyl
5efdcd90 B50 Sicilian Defense
5efffb5e A00 Kádas Opening
5f04244d C10 French Defense: Rubinstein Variation, Ellis Gambit
5f68d6bd B00 Duras Gambit
5f6e94e9 A00 Polish Opening: Karniewski Variation
5f92ee3d A45 Indian Defense: Gibbins-Weidenhagen Gambit, Stummer Gambit
5f96edea D00 Blackmar-Diemer Gambit Declined: Brombacher Countergambit
5fb5f3ed C56 Italian Game: Scotch Invitation Declined
5fe66168 D80 Grünfeld Defense: Gibbon Gambit
5ff30026 C44 Scotch Game: Lolli Variation
5ff5b061 A06 Zukertort Opening: Regina-Nu Gambit
603f7fcd C28 Vienna Game: Stanley Variation, Bronstein Gambit
6051b4ef C44 Dresden Opening: The Goblin
60872ad0 A45 Indian Defense: Paleface Attack, Blackmar-Diemer Gambit Deferred
6089eff5 C44 Ponziani Opening: Ponziani Countergambit
609c842d C24 Bishop's Opening: Paulsen Defense
60b52950 D08 Queen's Gambit Declined: Albin Countergambit, Janowski Variation
60b89824 A48 London System
610e48ef C33 King's Gambit Accepted: Schurig Gambit, with Bd3
61106266 C45 Scotch Game: Braune Variation
611eb757 A02 Bird Opening: Swiss Gambit
61350031 A04 Zukertort Defense: Sicilian Knight Variation
61637bb9 C15 French Defense: Winawer Variation, Fingerslip Variation, Kunin Double Gambit
61749f70 A16 English Opening: Anglo-Indian Defense, Queen's Knight Variation
618a020e C69 Ruy Lopez: Exchange Variation, Normal Variation
61a2956f A26 English Opening: King's English Variation, Closed System, Full Symmetry
61b57345 A45 Indian Defense: Maddigan Gambit
61d84675 E11 Bogo-Indian Defense: Haiti Variation
61f82ece C42 Petrov's Defense: Cochrane Gambit
620b1282 B01 Scandinavian Defense
6238a0aa C71 Ruy Lopez: Morphy Defense, Modern Steinitz Defense
6243e020 A46 Torre Attack: Classical Defense, Petrosian Gambit
625b41c9 C03 French Defense: Tarrasch Variation, Guimard Defense, Thunderbunny Variation
628a1624 A12 Réti Opening: Anglo-Slav Variation, Capablanca Variation
629aff19 A13 English Opening: Agincourt Defense, Catalan Defense
62ab8191 A29 English Opening: King's English Variation, Four Knights Variation, Fianchetto Line
62c693f9 B27 Sicilian Defense: Mongoose Variation
62f030d9 A45 Trompowsky Attack: Borg Variation
630a27a2 C56 Italian Game: Scotch Gambit, Janowski Defense
6355bbdc D01 Rapport-Jobava System
637a3c64 D31 Semi-Slav Defense: Marshall Gambit
63bef8bb D53 Queen's Gambit Declined: Modern Variation, Heral Variation
63df8a52 C42 Petrov's Defense: Nimzowitsch Attack
63e7f8db A44 Benoni Defense: Old Benoni
6402e445 B31 Sicilian Defense: Nyezhmetdinov-Rossolimo Attack, Fianchetto Variation
6430a820 A00 Ware Opening: Ware Gambit
643fef6b A00 Sodium Attack: Durkin Gambit
644033fb B01 Scandinavian Defense: Anderssen Counterattack, Collijn Variation
645c7149 A46 Indian Defense: Polish Variation
6469f03c B06 Modern Defense: Masur Gambit
648b0e1e B20 Sicilian Defense: Keres Variation
64ce73d8 B20 Sicilian Defense: Mengarini Variation
64eb8e3d C70 Ruy Lopez: Morphy Defense, Fianchetto Defense Deferred
651a55e4 D00 Blackmar-Diemer Gambit Accepted: Teichmann Defense
653172af A15 English Opening: Anglo-Indian Defense, Scandinavian Defense, Exchange Variation
6555b54a A00 Barnes Opening
6580ece5 D53 Queen's Gambit Declined
6594d37e D37 Queen's Gambit Declined: Three Knights Variation
65c1c90a C20 English Opening: The Whale
65cfa16d C71 Ruy Lopez: Morphy Defense, Modern Steinitz Defense
65f9b422 B07 Pirc Defense: Chinese Variation
6639fd66 C40 Latvian Gambit: Mayet Attack, Poisoned Pawn Variation
663e7db8 D03 Queen's Pawn Game: Torre Attack
665bd07b A00 Van Geet Opening: Pfeiffer Gambit
66774cdd B90 Sicilian Defense: Najdorf Variation
66999ea4 D90 Grünfeld Defense: Flohr Variation
66a8787d B32 Sicilian Defense: Kalashnikov Variation
66cae153 D31 Queen's Gambit Declined: Alapin Variation
66cfb364 A81 Dutch Defense: Leningrad Variation, Carlsbad Variation
66ea3fda A01 Nimzo-Larsen Attack: Pachman Gambit
66eee52a C57 Italian Game: Two Knights Defense, Ulvestad Variation
67142204 D10 Slav Defense: Exchange Variation, Boor Attack
67281738 C20 King's Pawn Game: Weber Gambit
675ffdf8 B20 Sicilian Defense: Kronberger Variation
676c2fa2 E10 Indian Defense: Anti-Nimzo-Indian
67788167 A00 Polish Opening: German Defense
67883596 C42 Petrov's Defense: Three Knights Game
67a84383 C45 Scotch Game: Steinitz Variation
67af47ff B01 Scandinavian Defense: Bronstein Variation
67bfa956 A15 English Opening: Anglo-Indian Defense, Anti-Anti-Grünfeld
67d5c9d5 C61 Ruy Lopez: Bird Variation, Paulsen Variation
67db64e4 C47 Four Knights Game: Scotch Variation Accepted
67e4b9d9 C11 French Defense: Classical Variation
67fc8bed C39 King's Gambit Accepted: Allgaier Gambit
680a43da A01 Nimzo-Larsen Attack
6837381f D00 Queen's Pawn Game
684a9fdc C26 Bishop's Opening: Vienna Hybrid, Spielmann Attack
684fafbc C23 Bishop's Opening: Stein Gambit
6865534d A91 Dutch Defense: Classical Variation
6869e775 A22 English Opening: King's English Variation, Bellon Gambit
6875e8d8 A00 Van't Kruijs Opening
687846a5 C44 Ponziani Opening: Réti Variation
688dd6b0 A40 English Defense: Poli Gambit
68904b2e B13 Caro-Kann Defense: Panov Attack, Gunderam Attack
68a2f238 D11 Slav Defense: Quiet Variation
68b668d7 C40 Latvian Gambit
68d70819 B09 Pirc Defense: Austrian Attack
695d30ca C43 Petrov's Defense: Modern Attack
69618887 A00 Grob Opening: Grob Gambit, Keres Gambit
696e5004 D91 Grünfeld Defense: Three Knights Variation, Petrosian System
69c03a2d A14 English Opening: Agincourt Defense, Neo-Catalan Declined, Early b3
69d48bdd A00 Barnes Opening: Gedult Gambit
69ecea19 E48 Nimzo-Indian Defense: Normal Variation, Classical Defense
69f1a99f A15 English Opening: Anglo-Indian Defense, Scandinavian Defense
69f610de D10 Slav Defense: Diemer Gambit
6a193e97 A57 Benko Gambit: Zaitsev System
6a3480a3 A41 Queen's Pawn Game
6a3dd8eb A46 Indian Defense: Knights Variation, Alburt-Miles Variation
6a4117c0 A00 Polish Opening: Bugayev Advance Variation
6a72d25d E43 Nimzo-Indian Defense: St. Petersburg Variation
6a906b1b A56 Benoni Defense: Hromádka System
6b18daed A07 King's Indian Attack, with e6
6b354e4e A00 Kádas Opening: Myers Variation
6b3f36e6 A48 Queen's Pawn Game: Barry Attack, Tarzan Attack
6b428807 B24 Sicilian Defense: Closed
6b47a86d B32 Sicilian Defense: Nimzo-American Variation
6b4f3f8b B54 Sicilian Defense: Dragon Variation, Accelerated Dragon
6b50d169 B53 Sicilian Defense: Chekhover Variation, Zaitsev Defense
6b58324d A56 Vulture Defense
6b5a4ae4 E05 Catalan Opening: Open Defense, Classical Line
6b5ed1ae A00 Anderssen's Opening: Polish Gambit
6bb2b0d2 C30 King's Gambit Declined: Hobbs-Zilbermints Gambit
6bb7cdb1 B27 Sicilian Defense: Frederico Variation
6bc2d0d3 A41 Rat Defense: English Rat
6be13566 A40 Englund Gambit Declined
6c15ec99 A02 Bird Opening: Horsefly Defense
6c2596a9 A32 English Opening: Symmetrical Variation, Anti-Benoni Variation, Spielmann Defense
6c4a04a5 D85 Grünfeld Defense: Exchange Variation
6c5a9472 A30 English Opening: Wing Gambit
6c7b59af C41 Philidor Defense: Hanham Variation
6c907382 C41 Philidor Defense
6c96a06d C30 King's Gambit Declined: Norwalde Variation, Schubert Variation
6ca05cdf D00 Queen's Pawn Game: Chigorin Variation, Shaviliuk Gambit
6d31bc68 B20 Sicilian Defense: Myers Attack, with a4
6d569d98 A02 Bird Opening: From's Gambit, Bahr Gambit
6d8b3099 C22 Center Game: l'Hermet Variation
6d9894eb A19 English Opening: Anglo-Indian Defense, Flohr-Mikenas-Carls Variation, Nei Gambit
6dacff0c C57 Italian Game: Two Knights Defense, Ponziani-Steinitz Gambit
6ddb2f2d C35 King's Gambit Accepted: Cunningham Defense, Bertin Gambit
6e2e2124 C41 Philidor Defense: Steinitz Variation
6e815afe B03 Alekhine Defense: Hunt Variation
6e854569 A00 Van Geet Opening: Warsteiner Gambit
6e9d0d09 A35 English Opening: Symmetrical Variation, Two Knights Variation
6eaaefdc D00 Blackmar-Diemer Gambit Accepted: Schlutter Defense
6ec1cf00 D00 Queen's Pawn Game: Accelerated London System
6ee9a6e5 A00 Van Geet Opening: Laroche Gambit
6eeb00bc C44 Scotch Game: Scotch Gambit, London Defense
6eeb40e2 D31 Semi-Slav Defense: Anti-Noteboom, Stonewall Variation, Portisch Gambit
6ef93dc1 E00 Catalan Opening
6f094850 A00 Hungarian Opening
6f11927b A10 English Opening: Myers Defense
6f1df7b1 C21 Danish Gambit
6f2cd114 A10 English Opening: Anglo-Dutch Variation, Ferenc Gambit
6f3a6a27 B00 Fried Fox Defense
6fc9a683 A07 Hungarian Opening: Wiedenhagen-Beta Gambit
7005192a D26 Queen's Gambit Accepted: Normal Variation, Traditional System
701d3337 E60 Indian Defense: Anti-Grünfeld, Adorjan Gambit
7029735e B00 Owen Defense: Smith Gambit
70b71051 A45 Indian Defense: Gibbins-Weidenhagen Gambit, Maltese Falcon
70c66051 D31 Queen's Gambit Declined: Janowski Variation
70ea0162 C22 Center Game: Hall Variation
71068374 A54 Old Indian Defense: Two Knights Variation
71123219 C70 Ruy Lopez: Morphy Defense, Cozio Defense
711c07d3 B06 Modern Defense: Semi-Averbakh Variation, Pterodactyl Variation Declined
711c730a C21 Center Game: Kieseritzky Variation
712e41a0 C30 King's Gambit Declined: Panteldakis Countergambit, Schiller's Defense
713a0b19 D05 Queen's Pawn Game: Colle System
71866346 A07 King's Indian Attack: Yugoslav Variation
71a4a504 C12 French Defense: McCutcheon Variation, Advance Variation
71cdcd71 C74 Ruy Lopez: Morphy Defense, Modern Steinitz Defense, Siesta Variation
71e7b221 D00 Blackmar-Diemer Gambit Accepted: Ryder Gambit
71f41ed7 A23 English Opening: King's English Variation, Two Knights Variation, Keres Variation
7218e107 C21 Danish Gambit Accepted: Chigorin Defense
721c7237 D24 Queen's Gambit Accepted: Showalter Variation
722d3d7b C37 King's Gambit Accepted: Quaade Gambit
722d9172 C77 Ruy Lopez: Morphy Defense, Tarrasch Variation
72576b23 A20 English Opening: King's English Variation, Nimzowitsch-Flohr Variation
7279985c C32 King's Gambit Declined: Falkbeer Countergambit, Charousek Gambit Accepted
7286e08a B07 Lion Defense: Anti-Philidor
72acea55 B10 Caro-Kann Defense: Hector Gambit
72b6fe89 B02 Alekhine Defense: Scandinavian Variation, Myers Gambit
72c4f92e B29 Sicilian Defense: Nimzowitsch Variation, Exchange Variation
72c96ef6 D01 Rapport-Jobava System, with e6
72e4bc67 C20 King's Pawn Game: Clam Variation, Radisch Gambit
72f268b9 B15 Caro-Kann Defense: Rasa-Studier Gambit
72f4dd0d C40 Latvian Gambit Accepted
72f9d39c D30 Queen's Gambit Declined: Tarrasch Defense, Pseudo-Tarrasch Bishop Attack
7339b9e6 B28 Sicilian Defense: O'Kelly Variation, Aronin System
73a3f663 C31 King's Gambit Declined: Falkbeer Countergambit, Rubinstein Variation
73c571e9 A07 King's Indian Attack: Keres Variation
73d7ef0b D70 Neo-Grünfeld Defense: with g3
73e5d664 D05 Rubinstein Opening
73e60979 B01 Scandinavian Defense: Portuguese Gambit, Correspondence Refutation
7404ab8c C25 Vienna Game: Omaha Gambit
740f11c4 A11 Réti Opening: Anglo-Slav Variation, Gurevich System
743926c4 C39 King's Gambit Accepted: Allgaier, Schlechter Defense
74772152 C53 Italian Game: Bird's Attack
747d9c84 B20 Sicilian Defense: King David's Opening
74934e48 A45 Trompowsky Attack
749c66c7 C44 King's Pawn Game: Tayler Opening, Basman Gambit
74d1db06 A06 Zukertort Opening: Ampel Variation
750feafb C33 King's Gambit Accepted: Basman Gambit
7531fcd2 B10 Caro-Kann Defense: Labahn Attack, Double Gambit
7532789c A45 Canard Opening
754ea240 B12 Caro-Kann Defense: Advance, Short Variation
755c57b1 A00 Van't Kruijs Opening: Keoni-Hiva Gambit, Akahi Variation
758650cf A03 Bird Opening: Lasker Variation
759e549f A00 Kádas Opening: Kádas Gambit
75a7516f C65 Ruy Lopez: Berlin Defense, Anti-Berlin Variation, Anderssen Variation
75a9abf3 B01 Scandinavian Defense: Kádas Gambit
75b264c1 A25 English Opening: Closed, Taimanov Variation
75c6581c B06 Pterodactyl Defense: Eastern, Anhanguera
7622d407 A17 English Opening: Anglo-Indian Defense, Nimzo-English
763b1ceb C51 Italian Game: Evans Gambit, Fontaine Countergambit
7654a494 A45 Indian Defense: Accelerated London System
7699a182 B08 Pirc Defense: Classical Variation, Quiet System
76bc8324 D00 Blackmar-Diemer Gambit: Lemberger Countergambit, Endgame Variation
76c7938d D08 Queen's Gambit Declined: Albin Countergambit, Modern Line
76d6be6d A12 Réti Opening: Anglo-Slav Variation, London Defensive System
76e40a56 E14 Queen's Indian Defense: Spassky System
770e6f9a C57 Italian Game: Two Knights Defense, Kloss Gambit
7742c474 C44 Ponziani Opening: Jaenisch Counterattack
776bb609 C22 Center Game: Charousek Variation
77a36634 B15 Caro-Kann Defense
77ae7535 C30 King's Gambit Declined: Norwalde Variation
77b14f18 A00 Van Geet Opening: Venezolana Variation
77c92034 D85 Grünfeld Defense: Exchange Variation, Nadanian Attack
77d0d9f1 A40 Horwitz Defense
77ec31b7 C08 French Defense: Tarrasch Variation, Open System
780f8dde D05 Queen's Pawn Game: Zukertort Variation
7812aea2 C11 French Defense: Classical Variation, Steinitz Variation
781b6fe2 A43 Benoni Defense: Benoni-Staunton Gambit
7830ebb8 A05 Zukertort Opening: Nimzo-Larsen Variation
7865a23b A41 Robatsch Defense: Rossolimo Variation
78724089 C50 Italian Game: Giuoco Piano
78a11872 C11 French Defense: Classical Variation, Shirov-Anand Variation
78d71ef8 B20 Sicilian Defense: Brick Variation
78e3c957 C37 King's Gambit Accepted: Australian Gambit
790dff97 B06 Modern Defense: Lizard Defense, Mittenberger Gambit
79189897 B23 Sicilian Defense: Closed, Korchnoi Defense
79422f16 C41 Philidor Defense: Nimzowitsch Variation, Rellstab Variation
794cfb80 C00 French Defense: Chigorin Variation
799cc687 A02 Bird Opening: From's Gambit, Lipke Variation
79a73e33 B17 Caro-Kann Defense: Karpov Variation, Modern Variation, Ivanchuk Defense
79a90409 A00 Van Geet Opening: Gladbacher Gambit
79ac5924 D20 Queen's Gambit Accepted: Central Variation, McDonnell Defense
79cb7c31 A00 Van Geet Opening: Kluever Gambit
79d6a2c0 C00 French Defense: Diemer-Duhm Gambit Accepted
7a194cb7 C12 French Defense: McCutcheon Variation, Exchange Variation
7a3bce50 C23 Bishop's Opening: Lopez Variation, Lopez Gambit
7a3e6cc7 C50 Italian Game: Giuoco Pianissimo, Lucchini Gambit
7a40bcc6 C20 King's Pawn Game: Leonardis Variation
7acff13b D01 Rapport-Jobava System
7aef0a29 C33 King's Gambit Accepted: Schurig Gambit, with Bb5
7b129f3d E64 King's Indian Defense: Fianchetto Variation, Pterodactyl Variation
7b2b9fa1 B11 Caro-Kann Defense: Two Knights Attack, Mindeno Variation, Retreat Line
7b69fe77 A13 English Opening: Agincourt Defense, Kurajica Defense
7b8af3a3 C47 Four Knights Game: Halloween Gambit
7b9e6a91 B00 Owen Defense: Wind Gambit
7bd786b5 D35 Queen's Gambit Declined: Exchange Variation, Positional Variation
7c25b856 A12 Réti Opening: Anglo-Slav Variation
7c31a844 A10 English Opening
7c6b85a0 A00 Hungarian Opening: Bücker Gambit
7c70dc83 C15 French Defense: Winawer Variation, Alekhine Gambit Accepted
7ca58c29 B00 Pirc Defense
7d6b87d9 C00 French Defense: Knight Variation, Franco-Hiva Gambit
7d7c6e89 B02 Alekhine Defense
7d82b7d2 D00 Blackmar-Diemer Gambit Declined: Elbert Countergambit
7d863e8a E12 Queen's Indian Defense: Kasparov Variation
7dc8cfe5 C40 Latvian Gambit Accepted: Bilguer Variation
7dcb4eed A45 Indian Defense: Reversed Chigorin Defense
7dd985e6 B28 Sicilian Defense: O'Kelly Variation, Normal System
7deaa658 A40 Englund Gambit: Main Line
7e0174b7 D02 Queen's Pawn Game: Chigorin Variation
7e20aea9 B41 Sicilian Defense: Kan Variation
7e2f74e4 A08 Zukertort Opening: Reversed Grünfeld
7e5887e7 B40 Sicilian Defense: Marshall Counterattack
7e5f850a B07 Pirc Defense: Sveshnikov System
7e67f155 D08 Queen's Gambit Declined: Albin Countergambit, Lasker Trap
7e96660a A80 Dutch Defense: Kingfisher Gambit
7ecfe812 B06 Modern Defense: Wind Gambit
7ef98892 A00 Barnes Opening: Hammerschlag
7eff2af0 A45 Paleface Attack
7f05cb03 B00 Ware Defense: Snagglepuss Defense
7f0e78e5 C13 French Defense: Classical Variation, Tartakower Variation
7f523b25 D08 Queen's Gambit Declined: Albin Countergambit
7f65efd0 D80 Grünfeld Defense: Stockholm Variation
7f66a4c1 A40 Mikenas Defense: Lithuanian Variation
7f975961 B06 Pterodactyl Defense: Central, Benoni Quetzalcoatlus
7fcb962c C60 Ruy Lopez: Spanish Countergambit, Harding Gambit
7fd90f06 A22 English Opening: King's English, Mazedonisch
7fe25fe5 C10 French Defense: Marshall Gambit
7ff63f50 A02 Bird Opening: Mujannah
7ff91b0f C47 Four Knights Game
8027beef D41 Queen's Gambit Declined: Semi-Tarrasch Defense
803b9524 E70 King's Indian Defense: Accelerated Averbakh Variation
805bc294 A37 English Opening: Symmetrical Variation, Three Knights, Fianchetto Variation
8067b865 C62 Ruy Lopez: Steinitz Defense, Center Gambit
806c2565 D04 Queen's Pawn Game: Colle System, Anti-Colle
807acbc4 C43 Petrov's Defense: Modern Attack
80a9ed9d B14 Caro-Kann Defense: Panov Attack
80cf5bae B21 Sicilian Defense: McDonnell Attack
80e2e4ab D00 Queen's Pawn Game: Chigorin Variation, Shropshire Defense
811ddcb7 E04 Catalan Opening: Open Defense
814f2885 B03 Alekhine Defense
819416d4 A06 Nimzo-Larsen Attack: Classical Variation
81a9a1d0 D37 Queen's Gambit Declined: Three Knights, Vienna Variation
81afffee A57 Benko Gambit Declined: Quiet Line
81b19a4d C49 Four Knights Game: Spanish Variation, Double Spanish
81b68c07 B01 Scandinavian Defense: Valencian Variation
81c453d2 C00 French Defense: King's Indian Attack
81ea38e8 C00 French Defense: Wing Gambit
82491471 C70 Ruy Lopez: Morphy Defense, Caro Variation
82778176 A00 Hungarian Opening: Reversed Brooklyn Defense, Brooklyn Benko Gambit
82878662 C20 Portuguese Opening
8290592b B00 Owen Defense: Guatemala Defense
82b2e895 A50 Queen's Indian Accelerated
82c26045 C22 Center Game: Berger Variation
82f9e865 B28 Sicilian Defense: O'Kelly Variation, Normal System, Taimanov Line
831d7695 A00 Van Geet Opening: Dougherty Gambit
83214c65 A00 Hungarian Opening: Indian Defense
8326a4d0 C25 Vienna Gambit, with Max Lange Defense: Steinitz Gambit, Zukertort Defense
83304363 C44 King's Knight Opening: Normal Variation
83369a25 A45 Indian Defense: Lazard Gambit
833cba3f C60 Ruy Lopez: Cozio Defense
8368db4f B15 Caro-Kann Defense: Tartakower Variation
83865686 A28 English Opening: King's English Variation, Four Knights Variation, Quiet Line
839f7669 A42 Modern Defense: Kotov Variation
83cbbf10 C20 King's Pawn Game: Philidor Gambit
8419d650 B23 Sicilian Defense: Closed, Carlsen Variation
845bcfcc A00 Van Geet Opening: Hergert Gambit
8473c37d B00 Owen Defense: Matovinsky Gambit
8486e6bf B01 Scandinavian Defense: Gubinsky-Melts Defense
84ba6ace B00 Nimzowitsch Defense: Kennedy Variation, Bielefelder Gambit
84c6dd62 A85 Dutch Defense: Queen's Knight Variation
84e81a80 C16 French Defense: Winawer Variation, Advance Variation
84fdbd41 B21 Sicilian Defense: Morphy Gambit
850582ee C39 King's Gambit Accepted: Kieseritzky Gambit, Rosenthal Defense
85b0075d C02 French Defense: Advance Variation, Wade Variation
85d6401a C07 French Defense: Tarrasch Variation, Open System, Shaposhnikov Gambit
8610ebd5 C44 Ponziani Opening: Leonhardt Variation
862907b0 A48 Torre Attack: Fianchetto Defense
8632297c A05 Zukertort Opening: Myers Polish Attack
86655d3f C26 Bishop's Opening: Horwitz Gambit
868e8665 C30 King's Gambit Declined: Panteldakis Countergambit, Shirazi Line
86d79937 D02 Queen's Pawn Game: Symmetrical Variation, Pseudo-Catalan
86dc7fd0 D30 Queen's Gambit Declined: Traditional Variation
86e3e694 D02 Queen's Pawn Game: London System
86f497ad B00 Nimzowitsch Defense: French Connection
86ffbf75 B00 Nimzowitsch Defense: Pirc Connection
8731dbc5 C70 Ruy Lopez: Morphy Defense, Schliemann Defense Deferred, Jaenisch Gambit Deferred
87530e6c C41 Philidor Defense: Exchange Variation
8755daf2 C00 French Defense: St. George Defense, Three Pawn Attack
879b3a4d D70 Neo-Grünfeld Defense: Goglidze Attack
87a09408 C62 Ruy Lopez: Steinitz Defense, Semi-Duras Variation
87b40d62 C45 Scotch Game: Paulsen Variation
87b726db C40 Latvian Gambit Accepted: Foltys-Leonhardt Variation
87f28397 A81 Dutch Defense: Leningrad, Basman System
88034766 A34 English Opening: Symmetrical Variation, Three Knights Variation
8834f374 B00 Nimzowitsch Defense: Kennedy Variation, Herford Gambit
8837e47a C40 Latvian Gambit: Greco Variation
884de6de D03 Queen's Pawn Game: Torre Attack
884e3e61 C40 Latvian Gambit: Mayet Attack, Polerio-Svedenborg Variation
885701a8 C25 Vienna Game: Paulsen Variation
88706899 C33 King's Gambit Accepted: Eisenberg Variation
88945a5c B15 Caro-Kann Defense: Alekhine Gambit
88980c17 B00 St. George Defense: Zilbermints Gambit
88b2aa9d C39 King's Gambit Accepted: Kieseritzky Gambit
88be1dc0 A04 Zukertort Opening: Lisitsyn Gambit Deferred
88deace8 E36 Nimzo-Indian Defense: Classical Variation, Noa Variation
895acb87 A53 Old Indian Defense: Czech Variation, with Nf3
89914d7c D08 Queen's Gambit Declined: Albin Countergambit, Tartakower Defense
89b4bc6a C44 Ponziani Opening: Spanish Variation
89f333ba D06 Queen's Gambit Declined: Austrian Attack, Salvio Countergambit
8a02e12c D00 Blackmar-Diemer Gambit
8a140b93 C41 Philidor Defense: Lion Variation
8a32c6ad A05 King's Indian Attack: Wahls Defense
8a4ebe73 B37 Sicilian Defense: Accelerated Dragon, Maróczy Bind
8a50458c D00 Queen's Pawn Game: Levitsky Attack
8a5172cc B20 Sicilian Defense: Czerniak Attack
8a803cba C51 Italian Game: Evans Gambit, Stone-Ware Variation
8aa2c8dc B23 Sicilian Defense: Closed, Chameleon Variation
8aba44ae A11 Réti Opening: Anglo-Slav Variation, with g3
8b20112c D08 Queen's Gambit Declined: Albin Countergambit, Balogh Variation
8b27d08e C20 King's Pawn Game: King's Head Opening
8b2b17ee B02 Alekhine Defense: Welling Variation
8b2c4622 E06 Catalan Opening: Closed
8b3badbd A45 Indian Defense: Gibbins-Weidenhagen Gambit, Oshima Defense
8b4a9457 C40 Gunderam Defense
8b882ca0 D21 Queen's Gambit Accepted: Rosenthal Variation
8b94d9b0 A06 Zukertort Opening: Tennison Gambit, Brigg's Trap
8bbf8caa C44 King's Knight Opening: Konstantinopolsky
8bc63bc6 C74 Ruy Lopez: Morphy Defense, Modern Steinitz Defense
8bf0f4aa C01 French Defense: Exchange Variation, Svenonius Variation
8bf30976 D22 Queen's Gambit Accepted: Alekhine Defense, Haberditz Variation
8c264309 C44 Ponziani Opening: Jaenisch Counterattack
8c2738e2 C21 Center Game: Lanc-Arnold Gambit, Schippler Gambit
8c2af70b A40 Pterodactyl Defense: Central, Benoni Pterodactyl
8c337158 B12 Caro-Kann Defense: Advance Variation, Tal Variation
8c611846 B32 Sicilian Defense: Open
8c6bbb31 B44 Sicilian Defense: Taimanov Variation
8c6e8342 C44 Scotch Game: Lolli Variation
8c7a7a5d D37 Queen's Gambit Declined: Vienna Variation, Quiet Variation
8cac680d A22 English Opening: King's English Variation, Adhiban Gambit
8cb242bb C30 King's Gambit Declined: Keene's Defense
8cbf0687 C03 French Defense: Tarrasch Variation, Morozevich Variation
8cd92312 D20 Queen's Gambit Accepted: Central Variation, Rubinstein Defense, Yefimov Gambit
8cef428f A54 Old Indian Defense: Tartakower-Indian
8d080935 C30 King's Gambit Declined: Panteldakis Countergambit
8d2ac2b4 C25 Vienna Gambit, with Max Lange Defense: Quelle Gambit
8d564d32 C60 Ruy Lopez
8d5803bf B00 Nimzowitsch Defense: Scandinavian Variation, Exchange Variation
8d9698d7 B04 Alekhine Defense: Modern Variation, Schmid Variation
8d98409c B21 Sicilian Defense: Smith-Morra Gambit Accepted, Danish Variation
8e056ac1 D20 Queen's Gambit Accepted: Accelerated Mannheim Variation
8e0818c1 B06 Modern Defense: Mongredien Defense, with Nf3
8e16271d A00 Van't Kruijs Opening: Keoni-Hiva Gambit, Ekolu Variation
8e21a58f A92 Dutch Defense: Classical Variation
8e44b94c C39 King's Gambit Accepted: Kieseritzky Gambit, Kolisch Defense
8e509ad2 C29 Vienna Game: Vienna Gambit, Modern Variation
8e62d358 D25 Queen's Gambit Accepted: Smyslov Variation
8e69c63d A00 Barnes Opening: Gedult Gambit
8e6a632e D00 Blackmar-Diemer Gambit Accepted: Euwe Defense
8e721a78 A29 English Opening: King's English Variation, Four Knights Variation, Fianchetto Line
8e7b4c11 B40 Sicilian Defense: Pin Variation
8e861d99 A03 Bird Opening: Williams Gambit
8eb43727 B80 Sicilian Defense: Scheveningen Variation
8ee14162 C44 King's Pawn Game: Dresden Opening
8ee2e111 A00 Hungarian Opening: Slav Formation
8ee94cd9 D06 Queen's Gambit Declined: Baltic Defense
8f25c1e3 D71 Neo-Grünfeld Defense: Exchange Variation
8f31e617 A02 Bird Opening: From's Gambit, Langheld Gambit
8f4c4ca5 A40 Borg Defense: Borg Gambit
8fd6ea70 C44 King's Pawn Game: Tayler Opening
8fe6a7cb A04 Zukertort Opening: Ware Defense
8ff1ba49 D01 Richter-Veresov Attack
900f4a82 C40 Latvian Gambit: Mayet Attack
90283573 B10 Caro-Kann Defense: Accelerated Panov Attack, Pseudo-Scandinavian
9032fdca D10 Slav Defense
90420724 A80 Dutch Defense: Manhattan Gambit, Anti-Modern
905301f2 C25 Vienna Game: Giraffe Attack
90608a15 A16 English Opening: Anglo-Grünfeld Defense
90643e3f C44 Scotch Game: Scotch Gambit
906b23c1 A00 Mieses Opening: Reversed Rat
907fdafc C42 Petrov's Defense: Moody Gambit
90830c5f B27 Sicilian Defense: Hyperaccelerated Pterodactyl
9087486d A13 English Opening: Neo-Catalan Declined
9087a18b C42 Petrov's Defense: Cochrane Gambit, Bishop Check Line
90946c05 C50 Italian Game: Giuoco Pianissimo
90cf716d C23 Bishop's Opening: Boi Variation
90e011c5 A11 Réti Opening: Anglo-Slav Variation, with g3
90e93398 C33 King's Gambit Accepted: Bishop's Gambit, Greco Variation
9123b2f0 E20 Nimzo-Indian Defense: Mikenas Attack
91272ea6 D22 Queen's Gambit Accepted: Alekhine Defense
913468fc C20 Bongcloud Attack
9164e28d B56 Sicilian Defense: Kupreichik Variation
9168e15d A40 Pterodactyl Defense: Fianchetto, Queen Pterodactyl
91723874 E21 Nimzo-Indian Defense: Three Knights Variation, Korchnoi Variation
9174f0f9 B70 Sicilian Defense: Dragon Variation
918d783d A12 Réti Opening: Anglo-Slav Variation, Bogoljubow Variation
91ee5e75 C63 Ruy Lopez: Schliemann Defense, Jaenisch Gambit Accepted
923ae41d B04 Alekhine Defense: Modern Variation, Larsen-Haakert Variation
92434e7b C29 Vienna Game: Vienna Gambit, Bardeleben Variation
924d6904 A57 Benko Gambit Declined: Pseudo-Sämisch
927d4523 A03 Bird Opening: Williams-Zilbermints Gambit
92824701 A22 English Opening: King's English Variation, Two Knights Variation, Smyslov System
92985d50 B02 Alekhine Defense: Scandinavian Variation, Geschev Gambit
92a68318 D32 Tarrasch Defense: Marshall Gambit
92cc91c9 A40 Mikenas Defense
92dd72f2 C26 Vienna Game: Stanley Variation
92fb0e1f B00 St. George Defense
932d8ec0 A12 Réti Opening: Anglo-Slav Variation, New York System
933af132 C24 Bishop's Opening: Ponziani Gambit
9350c14c C21 Danish Gambit Declined: Sörensen Defense
935fe04d C00 French Defense: Carlson Gambit
936436a9 C32 King's Gambit Declined: Falkbeer Countergambit, Charousek Gambit, Old Line
93790f40 E11 Bogo-Indian Defense: Exchange Variation
938673c6 C24 Bishop's Opening: Berlin Defense, Greco Gambit
93cc6900 C07 French Defense: Tarrasch Variation, Open System, Süchting Line
93e6e2ae D00 Queen's Pawn Game: Zurich Gambit
94013277 B01 Scandinavian Defense: Valencian Variation, Main Line
9464ffe5 D07 Queen's Gambit Declined: Chigorin Defense, Janowski Variation
948bf7f7 A51 Indian Defense: Budapest Gambit Accepted, Fajarowicz Defense, Steiner Variation
949bbb95 B16 Caro-Kann Defense: Bronstein-Larsen Variation
94a90218 A46 Indian Defense: London System
94cd0f57 C44 Scotch Game: Göring Gambit
94dec692 B10 Caro-Kann Defense: Hillbilly Attack
94e93603 B13 Caro-Kann Defense: Exchange Variation
9537c2f5 C40 Latvian Gambit: Mayet Attack, Morgado Defense
953ddfb6 B28 Sicilian Defense: O'Kelly Variation, Quiet System
954c1737 A40 Slav Indian: Kudischewitsch Gambit
955d6b4f C33 King's Gambit Accepted: Villemson Gambit
957e0532 C00 French Defense: Bird Invitation
95a5912b A00 Polish Opening: Queenside Defense
95a6e843 D53 Queen's Gambit Declined: Lasker Defense
95bc45bf A43 Benoni Defense: Benoni-Indian Defense
95d23c54 C15 French Defense: Winawer Variation, Alekhine-Maróczy Gambit
95ea75d3 C26 Vienna Game: Stanley Variation, Eifel Gambit
963a13ea C21 Center Game
96413aec B22 Sicilian Defense: Alapin Variation, Smith-Morra Declined
964f2f79 E15 Queen's Indian Defense: Fianchetto Variation, Check Variation
966370ae B01 Scandinavian Defense: Blackburne Gambit
966ef4bf D10 Slav Defense
966f7330 B12 Caro-Kann Defense: Advance Variation
967840e1 E20 Nimzo-Indian Defense
969362b8 A80 Dutch Defense: Manhattan Gambit, Anti-Stonewall
96956597 A06 Zukertort Opening
96a1e025 B03 Alekhine Defense: O'Sullivan Gambit
96a25a6d B18 Caro-Kann Defense: Classical Variation
96acec4e A00 Ware Opening
96dafa37 C56 Italian Game: Scotch Gambit, Double Gambit Accepted
9711c725 B12 Caro-Kann Defense: Advance Variation, Botvinnik-Carls Defense
9721f571 D45 Semi-Slav Defense: Accelerated Meran Variation
97284b91 D15 Slav Defense: Chebanenko Variation
972a80b5 B28 Sicilian Defense: O'Kelly Variation, Normal System, Smith-Morra Line
974e8705 A00 Barnes Opening: Fool's Mate
9771e09e A00 Hungarian Opening: Reversed Alekhine
97787f43 A51 Indian Defense: Budapest Gambit Accepted
979ad589 A40 Queen's Pawn Game: Modern Defense
97c83d64 C40 Latvian Gambit: Fraser Defense
97e72a88 B20 Sicilian Defense: Euwe Attack, Prins Gambit
97f8fee5 C30 King's Gambit Declined: Mafia Defense
983edda1 D06 Queen's Gambit Declined: Austrian Defense
98476042 A02 Bird Opening: Lasker Gambit
98810945 B15 Caro-Kann Defense: Campomanes Attack
9892801d C03 French Defense: Tarrasch Variation, Haberditz Variation
98bf9e16 B21 Sicilian Defense: Coles Sicilian Gambit
98f8e740 C27 Bishop's Opening: Boden-Kieseritzky Gambit, Lichtenhein Defense
9939df1f A04 Zukertort Opening: Dutch Variation
994d11f7 A48 Queen's Pawn Game: Torre Attack, Grünfeld Variation, Main Line
9954f8b7 B02 Alekhine Defense: Brooklyn Variation
995dd6ac C30 King's Gambit Declined: Soller-Zilbermints Gambit
99626652 A05 Zukertort Opening: Lemberger Gambit
99985286 E60 King's Indian Defense: Normal Variation, King's Knight Variation
99ae6b49 D00 Blackmar-Diemer Gambit: Lemberger Countergambit, Sneiders Attack
99bb1274 B00 Nimzowitsch Defense: Scandinavian Variation, Advance Variation
99fa29c2 D25 Queen's Gambit Accepted: Winawer Defense
9a11d9a8 B01 Scandinavian Defense: Anderssen Counterattack, Goteborg System
9a18eacd A44 Benoni Defense: Semi-Benoni
9a296d8e A84 Dutch Defense: Bellon Gambit
9a2c20af A07 King's Indian Attack: Double Fianchetto
9a53e605 A00 Polish Opening: Wolferts Gambit
9a915049 A90 Dutch Defense: Nimzo-Dutch Variation
9a99b06c C30 King's Gambit Declined: Keene's Defense
9a9a6827 A15 English Opening: Anglo-Indian Defense, Old Indian Formation
9abdc7fa A00 Van Geet Opening: Battambang Variation
9acbcddb A52 Indian Defense: Budapest Gambit Accepted, Main Line, Rubinstein Variation
9af2ca40 A00 Van Geet Opening: Sicilian Two Knights
9afb7ef1 C41 Philidor Defense: Paulsen Attack
9afca5d7 C30 King's Gambit Declined: Norwalde Variation, Bücker Gambit
9afce861 A50 Mexican Defense
9b08affa B00 Nimzowitsch Defense: Hornung Gambit
9b1cd7e6 A09 Réti Opening
9b3fe203 E10 Blumenfeld Countergambit
9b57e94c C31 King's Gambit Declined: Falkbeer Countergambit, Blackburne Attack
9b69f64c A04 Zukertort Opening: The Walrus
9b9ae652 B12 Caro-Kann Defense: Advance Variation, Bronstein Variation
9b9e4a65 A33 English Opening: Symmetrical Variation, Anti-Benoni Variation, Spielmann Defense
9bc7f593 B40 Sicilian Defense: Alapin Variation, Sherzer Variation
9c23c52e C15 French Defense: McCutcheon Variation, Wolf Gambit
9c2b410f B05 Alekhine Defense: Modern Variation, Main Line
9c2c344b A01 Nimzo-Larsen Attack: Classical Variation
9c3c0c7b C69 Ruy Lopez: Exchange Variation, Gligoric Variation
9c3c8076 A41 Rat Defense: English Rat, Pounds Gambit
9c4b831f A45 Trompowsky Attack: Classical Defense
9c99442f E38 Nimzo-Indian Defense: Classical Variation, Berlin Variation
9c999f5c E39 Nimzo-Indian Defense: Classical Variation, Berlin Variation, Pirc Variation
9cb91ea6 C67 Ruy Lopez: Berlin Defense, Rio de Janeiro Variation
9cec4237 A01 Nimzo-Larsen Attack: Symmetrical Variation
9cfb9419 C54 Italian Game: Classical Variation, Giuoco Pianissimo
9d19a149 B09 Pirc Defense: Austrian Attack, Dragon Formation
9d393cc9 D51 Queen's Gambit Declined: Modern Variation, Knight Defense
9d46cad7 D03 Queen's Pawn Game: Torre Attack, Grünfeld Variation
9d82fa51 A20 English Opening: King's English Variation, Kahiko-Hula Gambit
9d9d49e4 C33 King's Gambit Accepted: Bishop's Gambit, Kieseritzky Gambit
9df0216c C42 Petrov's Defense: Italian Variation
9df5629e B12 Caro-Kann Defense: Mieses Gambit
9dfc1a77 C60 Ruy Lopez: Nürnberg Variation
9dff1502 D35 Queen's Gambit Declined: Exchange Variation, Positional Variation
9e167d53 A15 English Opening: Anglo-Indian Defense, Grünfeld Formation
9e1b4462 A08 Zukertort Opening: Reversed Grünfeld
9e2d8d11 C31 King's Gambit Declined: Falkbeer Countergambit, Charousek Gambit
9e30eae2 A43 Benoni Defense: Benoni Gambit, Schlenker Defense
9e400ffc C40 Latvian Gambit: Mason Countergambit
9e44bcdb E12 Queen's Indian Defense: Kasparov-Petrosian Variation, Main Line
9e45fafc C41 Philidor Defense: Philidor Countergambit, Zukertort Variation
9e48abba D21 Queen's Gambit Accepted: Slav Gambit
9e7985f0 A51 Indian Defense: Budapest Gambit Accepted, Fajarowicz Defense
9e9e8d1a B07 Pirc Defense: Byrne Variation
9e9f1099 A04 Zukertort Opening: Arctic Defense, Drunken Knight Variation
9ea4ea12 B00 Nimzowitsch Defense: Scandinavian Variation, Bogoljubow Variation
9ebe03d9 C33 King's Gambit Accepted: Bishop's Gambit
9ecc79bc B03 Alekhine Defense: Balogh Variation
9ecda5f6 E44 Nimzo-Indian Defense: St. Petersburg Variation
9ee848ba A09 Réti Opening: Reversed Blumenfeld Gambit
9f1e57e7 B00 Nimzowitsch Defense: Scandinavian Variation, Bogoljubow Variation, Heinola-Deppe Gambit
9f360ff6 C02 French Defense: Advance Variation, Frenkel Gambit
9f503140 B07 Pirc Defense: 150 Attack, Sveshnikov-Jansa Attack
9f846bd4 C34 King's Gambit Accepted: Becker Defense
9fbe6244 C51 Italian Game: Evans Gambit, McDonnell Defense
9ff629d4 B10 Caro-Kann Defense: Apocalypse Attack
a005f866 A55 Old Indian Defense: Normal Variation
a02f5765 B06 Pterodactyl Defense: Western, Anhanguera
a03a3cf7 A40 Polish Defense
a076df8a B00 Rat Defense: Petruccioli Attack
a078a246 E15 Queen's Indian Defense: Fianchetto Variation
a09d0cc0 D00 Blackmar-Diemer Gambit Accepted: Gunderam Defense
a0ad4ff0 B24 Sicilian Defense: Closed, Fianchetto Variation
a0b0ba3d A43 Benoni Defense: Old Benoni, Mujannah Formation
a0ba1c51 D02 Queen's Pawn Game: Symmetrical Variation
a0c96df2 A00 Grob Opening: Spike Attack
a0db592f A46 Queen's Pawn Game: Torre Attack, Breyer Variation
a0e01bec B10 Caro-Kann Defense: Accelerated Panov Attack, Van Weersel Attack
a0efcf0f D12 Slav Defense: Quiet Variation, Schallopp Defense
a0f8e8ad C02 French Defense: Advance Variation, Ruisdonk Gambit
a10f1066 E60 King's Indian Defense: Santasiere Variation
a12fd973 A50 Indian Defense: Medusa Gambit
a13c7258 B21 Sicilian Defense: Smith-Morra Gambit Accepted, Fianchetto Defense
a1619be1 B23 Sicilian Defense: Closed, Traditional
a16ef03f A11 English Opening: Caro-Kann Defensive System
a17c3e53 A60 Benoni Defense: Modern Variation, Snake Variation
a186ffea D37 Queen's Gambit Declined: Harrwitz Attack
a1a51754 A00 Polish Opening: Myers Variation
a1aca8cf C40 Elephant Gambit: Wasp Variation
a1bfe8e7 B08 Pirc Defense: Classical Variation
a1d9d49b C33 King's Gambit Accepted: Mason-Keres Gambit
a2083e40 B22 Sicilian Defense: Alapin Variation, Barmen Defense
a22d1c87 B42 Sicilian Defense: Kan Variation, Polugaevsky Variation
a2357e04 D00 Blackmar-Diemer Gambit Declined: Weinsbach Defense, Pfrang Gambit
a244c728 E00 Indian Defense
a2530ccf D31 Semi-Slav Defense: Anti-Noteboom, Stonewall Variation
a27697ea C44 Ponziani Opening: Jaenisch Counterattack
a2870a6b A22 English Opening: King's English, Erbenheimer Gambit
a299bd13 A01 Nimzo-Larsen Attack: Dutch Variation
a30301bf D10 Slav Defense: Exchange Variation
a3077286 B02 Alekhine Defense: Buckley Attack
a30ef8cb B06 Pterodactyl Defense: Austrian, Pteranodon
a32f611a B50 Sicilian Defense: Wing Gambit, Deferred Variation
a3489035 A45 Indian Defense: Omega Gambit, Arafat Gambit
a3571cdd C65 Ruy Lopez: Berlin Defense
a35faa6e C02 French Defense: Advance Variation, Nimzowitsch Attack
a36935dc B00 Nimzowitsch Defense: Wheeler Gambit
a3874439 C55 Italian Game: Two Knights Defense
a39db768 A00 Polish Opening: Bugayev Attack
a39e69af A43 Benoni Defense: Benoni Gambit Accepted
a3a9398b B13 Caro-Kann Defense: Exchange Variation
a3c71d7d A13 English Opening: Agincourt Defense
a3c86c6b A00 Van Geet Opening: Reversed Nimzowitsch
a3d30656 D80 Grünfeld Defense: Zaitsev Gambit
a401d9d4 C33 King's Gambit Accepted: Bishop's Gambit, Bledow Variation
a41312ac D05 Queen's Pawn Game: Colle System, Traditional Colle
a43ad136 E15 Queen's Indian Defense: Fianchetto Variation, Nimzowitsch Variation, Timman's Line
a44bd1ee A80 Dutch Defense: Manhattan Gambit, Anti-Classical Line
a44c7883 A45 Indian Defense
a44cf4d4 C29 Vienna Game: Vienna Gambit
a4541461 A07 King's Indian Attack: Keres Variation
a48e558d D15 Slav Defense: Geller Gambit
a4abf8d7 A00 Van Geet Opening: Hector Gambit
a5077f23 A40 Polish Defense: Spassky Gambit Accepted
a50edc8c B07 Pirc Defense: 150 Attack
a52a9e1b C75 Ruy Lopez: Morphy Defense, Modern Steinitz Defense
a53cdd84 B01 Scandinavian Defense: Boehnke Gambit
a58bb84f A10 English Opening: Anglo-Lithuanian Variation
a5993034 B01 Scandinavian Defense: Blackburne-Kloosterboer Gambit
a5b04ccb A00 Grob Opening: Zilbermints Gambit, Zilbermints-Hartlaub Gambit
a608394e A42 Modern Defense: Averbakh Variation, Pseudo-Sämisch
a61f211b B01 Scandinavian Defense: Richter Variation
a640010f A54 Old Indian Defense: Ukrainian Variation
a657e49d B32 Sicilian Defense: Löwenthal Variation
a65bfcfe A00 Kádas Opening: Beginner's Trap
a66dbb56 B10 Caro-Kann Defense: Endgame Offer
a6859d30 C39 King's Gambit Accepted: Kieseritzky Gambit, Brentano Defense
a68bbaa5 D00 Queen's Pawn Game
a68caaa6 D06 Queen's Gambit Declined: Baltic Defense, Queen Attack
a69b3fb6 C27 Vienna Game: Stanley Variation, Monster Declined
a6be1aeb A41 Queen's Pawn Game: Rossolimo Variation
a6ef8488 A84 Dutch Defense: Rubinstein Variation
a723a39d D32 Tarrasch Defense
a78987f2 A30 English Opening: Symmetrical Variation, Napolitano Gambit
a7b9c081 C30 King's Gambit Declined: Classical Variation, Rubinstein Countergambit
a7df66f4 A16 English Opening: Anglo-Indian Defense, Anglo-Grünfeld Variation
a7fe62bc E23 Nimzo-Indian Defense: Spielmann Variation, Romanovsky Gambit
a82b1220 B27 Sicilian Defense: Hyperaccelerated Dragon
a85911f7 C37 King's Gambit Accepted: Rosentreter Gambit
a86e8a53 B06 Modern Defense: Norwegian Defense
a879da13 B06 Modern Defense: Standard Defense
a8914eae A87 Dutch Defense: Leningrad Variation
a89a2fa3 C40 King's Pawn Game: Gunderam Gambit
a8aaccaf A80 Dutch Defense: Hevendehl Gambit
a8cf261c A00 Amar Opening
a8e53fbe B52 Sicilian Defense: Moscow Variation, Sokolsky Variation
a8eaf1ed C65 Ruy Lopez: Halloween Attack
a8f27659 B33 Sicilian Defense: Open
a9012832 E32 Nimzo-Indian Defense: Classical Variation
a97bb4b5 D37 Queen's Gambit Declined: Three Knights Variation
a989837a A86 Dutch Defense: Fianchetto Variation
a998f725 C41 Philidor Defense: Hanham Variation, Sharp Variation
a99da2b8 D53 Queen's Gambit Declined
a9a7fb33 C21 Center Game: Kieseritzky Variation
a9a8d8a4 E76 King's Indian Defense: Four Pawns Attack
a9ab3ca5 E14 Queen's Indian Defense: Spassky System
a9cff0f0 C34 King's Gambit Accepted: Bonsch-Osmolovsky Variation
a9f34f1b A00 Grob Opening: Zilbermints Gambit
a9fded24 A83 Dutch Defense: Staunton Gambit, Nimzowitsch Variation
aa308b56 C20 King's Pawn Game: Alapin Opening
aa4c4ce2 A00 Amar Opening: Paris Gambit
aa4cba37 B12 Caro-Kann Defense: Advance Variation, Van der Wiel Attack, Dreyev Defense
aa78d1cf C46 Three Knights Opening: Steinitz Defense
aa7e1af1 A23 English Opening: King's English Variation, Two Knights Variation, Keres Variation
ab0b8473 A00 Kádas Opening: Steinbok Gambit
ab1d1b0a B10 Caro-Kann Defense
ab3a171c C00 French Defense: Schlechter Variation
ab3fa94b C55 Italian Game: Two Knights Defense, Modern Bishop's Opening
ab405823 A40 Englund Gambit Declined: Reversed Krebs
abc35fda D50 Queen's Gambit Declined: Modern Variation
abe2aebd A41 Wade Defense
abe75b6a C41 Philidor Defense: Hanham Variation, Schlechter Variation
abf859e0 C36 King's Gambit Accepted: Modern Defense
ac0c3805 D07 Queen's Gambit Declined: Chigorin Defense, Lazard Gambit
ac3b8d39 D51 Queen's Gambit Declined: Modern Variation, Knight Defense
ac49c252 C34 King's Gambit Accepted: MacLeod Defense
ac70b2da E15 Queen's Indian Defense: Fianchetto Variation, Nimzowitsch Variation, Quiet Line
ac87034f C45 Scotch Game: Romanishin Variation
acaca754 C47 Four Knights Game: Italian Variation, Noa Gambit
acc8a2b0 A41 Old Indian Defense
ad041db1 D12 Slav Defense: Quiet Variation, Schallopp Defense
ad139c2d A40 Englund Gambit
ad1a9079 A01 Nimzo-Larsen Attack: Modern Variation
ad1e5f59 B43 Sicilian Defense: Kan Variation, Wing Attack
ad326ce0 A57 Benko Gambit Accepted
ad32cb1c E70 King's Indian Defense: Kramer Variation
ad44f059 B01 Scandinavian Defense: Kloosterboer Gambit
ad71093f C40 King's Pawn Game: Busch-Gass Gambit
ad8bacbb C44 Ponziani Opening: Romanishin Variation
adda680c A03 Bird Opening: Sturm Gambit
ae5389af B00 Hippopotamus Defense
ae6a7a94 C41 Philidor Defense: Hanham, Kmoch Variation
ae7a5d5f B27 Sicilian Defense: Acton Extension
aec75098 C44 Scotch Game
aecfde9c D02 Queen's Pawn Game: London System, with e6
af3dbdb9 C63 Ruy Lopez: Schliemann Defense
af42cbf8 D09 Queen's Gambit Declined: Albin Countergambit, Fianchetto Variation, Be6 Line
af44b7a5 C45 Scotch Game: Malaniuk Variation
af4f4831 C63 Ruy Lopez: Schliemann Defense, Tartakower Variation
af68c581 C21 Danish Gambit Accepted: Schlechter Defense
af86c52c D02 Queen's Pawn Game: Symmetrical Variation, Pseudo-Catalan
afb6a884 A40 Pterodactyl Defense: Queen Pterodactyl, Quiet Line
afed1609 C10 French Defense: Hecht-Reefschläger Variation
afee1cce D40 Queen's Gambit Declined: Semi-Tarrasch Defense, Pillsbury Variation
b00cb445 C30 King's Gambit Declined: Keene Defense
b0141070 C29 Vienna Game: Vienna Gambit, Steinitz Variation
b01fa40d C44 Scotch Game: Relfsson Gambit
b039b55f E44 Nimzo-Indian Defense: St. Petersburg Variation, American Variation
b0560dc7 A82 Dutch Defense: Staunton Gambit, American Attack
b06a7ebd C20 King's Pawn Game: MacLeod Attack, Lasa Gambit
b0c7f9fd A53 Old Indian Defense
b0d3cbe0 D21 Queen's Gambit Accepted: Gunsberg Defense
b0dcd71c B40 Sicilian Defense: Delayed Alapin Variation, with e6
b0e6dc06 C33 King's Gambit Accepted: Bishop's Gambit, Bogoljubow Defense
b0edb8e1 A01 Nimzo-Larsen Attack: English Variation
b0fb60a8 C40 King's Knight Opening
b10db86a A14 English Opening: Agincourt Defense, Neo-Catalan Declined, Early b3
b1445639 A48 London System, with Be2
b145815e C29 Vienna Game: Vienna Gambit, Paulsen Attack
b1484d3f A36 English Opening: Symmetrical Variation, Ultra-Symmetrical Variation
b1914acc A01 Nimzo-Larsen Attack: Modern Variation
b1a77712 B21 Sicilian Defense: Smith-Morra Gambit
b1ca176e C25 Vienna Gambit, with Max Lange Defense
b1cca7a3 A01 Nimzo-Larsen Attack: Polish Variation
b1d36ab9 A52 Indian Defense: Budapest Gambit Accepted, Main Line, Adler Variation
b1ebac6e B20 Sicilian Defense: Bowdler Attack
b207fc55 D02 Queen's Pawn Game: Krause Variation
b209e293 A04 Modern Defense: Semi-Averbakh Variation, Polish Variation
b211be0c C48 Four Knights Game: Spanish Variation, Rubinstein Variation, Henneberger Variation
b223b42e A81 Dutch Defense: Blackburne Variation
b25bf9c0 B00 Nimzowitsch Defense: Scandinavian Variation, Bogoljubow Variation
b271fff3 B27 Sicilian Defense: Polish Gambit
b314313f B07 Lion Defense
b33b13ac A00 Sodium Attack: Chenoboskion Variation
b37a5f59 C63 Ruy Lopez: Schliemann Defense, Exchange Variation
b3949203 D30 Queen's Gambit Declined
b3993f46 C33 King's Gambit Accepted: Bishop's Gambit, Lopez Defense
b4039d53 E11 Bogo-Indian Defense: Nimzowitsch Variation
b405c7d1 C37 King's Gambit Accepted: Muzio Gambit, Wild Muzio Gambit
b432d176 A04 Zukertort Opening
b43ab23a C20 King's Pawn Game: Wayward Queen Attack
b43db06f A00 Hungarian Opening: Sicilian Invitation
b4448cf3 A40 Zaire Defense
b44ada66 B20 Sicilian Defense: Grob Variation
b47f3b72 A12 Réti Opening: Anglo-Slav Variation, London Defensive System
b483e755 C10 French Defense: Rubinstein Variation, Maric Variation
b4bb9195 B30 Sicilian Defense: Nyezhmetdinov-Rossolimo Attack, Brooklyn Retreat Defense
b4bfe9a8 B02 Alekhine Defense: Krejcik Variation
b4c6c0eb B06 Pterodactyl Defense: Fianchetto, King Pterodactyl
b4d3843d C54 Italian Game: Classical Variation, Giuoco Pianissimo, with a6
b4dd6d5f C41 Philidor Defense: Lopez Countergambit
b4e8a3d7 A46 Indian Defense: Spielmann-Indian
b4f09fa3 C60 Ruy Lopez: Pollock Defense
b4f3006c C00 French Defense: Reversed Philidor Formation
b53a4190 A45 Basque Opening
b5551078 A16 English Opening: Anglo-Indian Defense, Anglo-Grünfeld Variation
b57d55f9 A00 Grob Opening: Grob Gambit, Basman Gambit
b5996dc1 C36 King's Gambit Accepted: Abbazia Defense
b5b709fd C21 Danish Gambit Accepted
b5bc9733 C29 Vienna Game: Vienna Gambit, Breyer Variation
b61765a1 C40 Latvian Gambit: Mayet Attack, Strautins Gambit
b6222727 C10 French Defense: Rubinstein Variation, Fort Knox Variation
b6325131 A21 English Opening: King's English Variation, Smyslov Defense
b63d0faf C62 Ruy Lopez: Steinitz Defense
b654f509 A00 Hungarian Opening: Dutch Defense
b66aded3 C48 Four Knights Game: Spanish Variation, Rubinstein Variation
b67dac2f B12 Caro-Kann Defense
b69b72a7 A04 Zukertort Opening: Wade Defense
b6c353f8 C02 French Defense: Advance Variation, Nimzowitsch System
b6fea451 A15 English Opening: Anglo-Indian Defense
b70205e8 B21 Sicilian Defense: Smith-Morra Gambit Declined, Wing Formation
b710ea07 A00 Van Geet Opening: Damhaug Gambit
b71904ad E60 Grünfeld Defense: Counterthrust Variation
b733a959 A46 Indian Defense: Wade-Tartakower Defense
b74ae38d B06 Rat Defense: Accelerated Gurgenidze
b757c9d6 B15 Caro-Kann Defense: Main Line
b75cb116 C50 Italian Game: Rosentreter Gambit
b76e1c67 A03 Bird Opening: Dutch Variation
b78ab028 A10 English Opening: Wade Gambit
b7932248 E24 Nimzo-Indian Defense: Sämisch Variation
b7ac9441 C20 King's Pawn Game: Beyer Gambit
b7bd4c8e E01 Catalan Opening: Open Defense
b7d69e9b B06 Pterodactyl Defense: Eastern, Benoni Pterodactyl
b818328e C39 King's Gambit Accepted: Kieseritzky Gambit, Paulsen Defense
b8293e14 A27 English Opening: King's English Variation, Three Knights System
b82f7bfb B15 Caro-Kann Defense: Gurgenidze System
b855e1c1 C30 King's Gambit Declined: Zilbermints Double Countergambit
b85b563d B06 Modern Defense: Modern Pterodactyl
b85d8740 D03 Queen's Pawn Game: Torre Attack
b8829cf4 B28 Sicilian Defense: O'Kelly Variation, Venice System, Gambit Line
b883c35d C34 King's Gambit Accepted: King's Knight's Gambit
b88b4a14 A00 Hungarian Opening: Pachman Gambit
b88f27ee E50 Nimzo-Indian Defense
b8b88d42 D45 Semi-Slav Defense: Main Line
b8c0f669 D15 Slav Defense: Alekhine Variation
b8dae070 A53 Old Indian Defense: Janowski Variation, Grinberg Gambit
b9094024 C33 King's Gambit Accepted
b9379449 E76 King's Indian Defense: Four Pawns Attack, Modern Defense
b96bc1d7 E33 Nimzo-Indian Defense: Classical Variation, Milner-Barry Variation
b976467d B32 Sicilian Defense: Flohr Variation
b97ae30c C65 Ruy Lopez: Berlin Defense, Anti-Berlin Variation
b9a7f70a D00 Queen's Pawn Game: Hübsch Gambit
b9a811a7 B06 Pterodactyl Defense: Eastern, Benoni Pteranodon
b9b8cf1d C78 Ruy Lopez: Brix Variation
b9cab857 A05 King's Indian Attack: Symmetrical Defense
b9e8a67c A80 Dutch Defense: Korchnoi Attack
b9ec379c A00 Van Geet Opening: Reversed Scandinavian
ba125be5 C33 King's Gambit Accepted: Paris Gambit
ba1acb0a C25 Vienna Gambit, with Max Lange Defense: Steinitz Gambit, Paulsen Defense
ba20b760 D53 Queen's Gambit Declined
ba3da55e D38 Queen's Gambit Declined: Ragozin Defense, Alekhine Variation
ba722e15 A10 English Opening: Jaenisch Gambit
ba8153c0 B09 Pirc Defense: Austrian Attack, Ljubojevic Variation
ba94d927 A17 English Opening: Anglo-Indian Defense, Hedgehog System
ba9ab7d9 A00 Lasker Simul Special
baa99380 C45 Scotch Game: Steinitz Variation
bb0ab9f2 C20 Portuguese Opening: Portuguese Gambit
bb1c080e C57 Italian Game: Two Knights Defense, Knight Attack
bb27f4c3 B00 Nimzowitsch Defense: Scandinavian Variation, Bogoljubow Variation, Brandics Gambit
bb282cde D00 Blackmar-Diemer Gambit Accepted: Holwell Defense
bb5bee2b B25 Sicilian Defense: Closed
bb6a8e0a E72 King's Indian Defense: Normal Variation, Deferred Fianchetto
bb8c893f C44 Ponziani Opening: Jaenisch Counterattack
bbced339 C55 Italian Game: Two Knights Defense
bbf05050 B22 Sicilian Defense: Alapin Variation, Anti-Alapin Gambit
bc1d6e89 C54 Italian Game: Classical Variation
bc1e7bf4 C20 King's Pawn Opening
bc41cdaf D30 Queen's Gambit Declined: Tarrasch Defense, Pseudo-Tarrasch
bce8b077 C21 Danish Gambit Accepted: Copenhagen Defense
bcef3c86 A40 Englund Gambit: Zilbermints Gambit
bcfbf112 B05 Alekhine Defense: Modern Variation, Alekhine Variation
bd0b44c9 C84 Ruy Lopez: Closed
bd1a6f6b D05 Queen's Pawn Game: Colle System
bd2b363d A10 English Opening: Anglo-Scandinavian Defense
bd3ed45a C34 King's Gambit Accepted: Wagenbach Defense
bd4de1ea B30 Sicilian Defense: Nyezhmetdinov-Rossolimo Attack
bd53ab54 A45 Indian Defense: Gibbins-Weidenhagen Gambit Accepted
bd606fb1 C13 French Defense: Classical Variation, Vistaneckis Variation
bd628114 A80 Dutch Defense: Hopton Attack
bd91dea4 C33 King's Gambit Accepted: Bishop's Gambit, Steinitz Defense
bdc55eef A00 Grob Opening: Grob Gambit, Fritz Gambit
bddfa94a B28 Sicilian Defense: O'Kelly Variation, Wing Gambit
be1d1cbc A42 Modern Defense: Averbakh System
be5b673d C37 King's Gambit Accepted: Sörensen Gambit
be5c7dc7 D20 Queen's Gambit Accepted: Saduleto Variation
be8bc9e3 C21 Center Game: Lanc-Arnold Gambit
be8ff252 C39 King's Gambit Accepted: Kieseritzky Gambit, Neumann Defense
bea7154a A28 English Opening: Four Knights System, Nimzowitsch Variation
beb52419 B45 Sicilian Defense: Four Knights Variation
bebd7d00 A17 English Opening: Anglo-Indian Defense, Queen's Indian Variation
bf0ee9a9 C41 Philidor Defense: Bird Gambit
bf2cf5b7 A13 English Opening: Agincourt Defense
bf3c3c6d A10 English Opening: Anglo-Scandinavian Defense, Malvinas Variation
bf4a8056 A90 Dutch Defense: Classical Variation
bf522b53 C60 Ruy Lopez: Bulgarian Variation
bfcc20f5 A83 Dutch Defense: Staunton Gambit, Alekhine Variation
bff2b689 B47 Sicilian Defense: Taimanov Variation, Bastrikov Variation
c00720ec A06 Nimzo-Larsen Attack: Norfolk Gambit
c01caa5b C33 King's Gambit Accepted: Tumbleweed
c0595f8f D07 Queen's Gambit Declined: Chigorin Defense, Main Line
c0a8b816 D10 Slav Defense: Winawer Countergambit, Anti-Winawer Gambit
c0b3d032 C23 Bishop's Opening: Calabrese Countergambit, Jaenisch Variation
c0b70376 A34 English Opening: Symmetrical Variation, Fianchetto Variation
c0b83a17 B00 Nimzowitsch Defense: Franco-Nimzowitsch Variation
c0e3a736 A40 Queen's Pawn Game
c1180d9c D00 Blackmar-Diemer Gambit Accepted: Bogoljubow Defense
c1218ee6 E42 Nimzo-Indian Defense: Rubinstein System, Rubinstein Variation
c1437f52 A12 Réti Opening: Anglo-Slav Variation, New York System
c143e4a6 C31 King's Gambit Declined: Falkbeer Countergambit, Nimzowitsch-Marshall Countergambit
c1558e9c B00 King's Pawn Game
c189dc75 C00 French Defense: Banzai-Leong Gambit, Pinova Gambit
c1dafbf8 B00 Nimzowitsch Defense: Kennedy Variation, Hammer Gambit
c20b6718 C51 Italian Game: Evans Gambit, Anderssen Variation
c2134827 A00 Polish Opening: Czech Defense
c21ecf3c C34 King's Gambit Accepted: Gianutio Countergambit
c23272ff A00 Hungarian Opening: Winterberg Gambit
c2434b55 C66 Ruy Lopez: Closed Berlin Defense, Chigorin Variation
c247e2a0 E00 Catalan Opening
c253b0c2 B40 Sicilian Defense: Kramnik Variation
c26dc449 C21 Center Game: Kieseritzky Variation
c2af9c35 D10 Slav Defense: Winawer Countergambit
c2cf84ba C37 King's Gambit Accepted: Muzio Gambit, Kling and Horwitz Counterattack
c2d06f6c A57 Benko Gambit Declined: Sosonko Variation
c2dee221 B00 Nimzowitsch Defense: Breyer Variation
c342353e A57 Benko Gambit: Mutkin Countergambit
c3584c1e A02 Bird Opening
c380b394 B21 Bird Opening: Dutch Variation, Batavo Gambit
c3917195 A00 Hungarian Opening: Catalan Formation
c39598e7 A08 King's Indian Attack: French Variation
c3c6a472 B28 Sicilian Defense: O'Kelly Variation, Normal System, Zagorovsky Line
c3ee5cf7 A14 English Opening: Agincourt Defense, Neo-Catalan Declined, Early b3
c3f9a59f A34 English Opening: Symmetrical Variation, Rubinstein Variation
c426d7a1 C33 King's Gambit Accepted: Bishop's Gambit, Bledow Countergambit
c499c440 C42 Petrov's Defense: Kaufmann Attack
c4a75de9 B32 Sicilian Defense: O'Kelly Variation, Maróczy Bind, Geller Line
c4d01ec3 D00 Queen's Pawn Game: Chigorin Variation, Irish Gambit
c4d8714a A18 English Opening: Mikenas-Carls Variation
c4d9477c E60 Indian Defense: Anti-Grünfeld, Advance Variation
c4dd2717 B27 Modern Defense: Pterodactyl Variation
c4ebf8e1 A25 English Opening: King's English Variation, Reversed Closed Sicilian
c52c9f14 C31 King's Gambit Declined: Falkbeer Countergambit, Miles Gambit
c5497870 C44 King's Pawn Game: Pachman Wing Gambit
c55c27e4 C48 Four Knights Game: Spanish Variation, Rubinstein Variation
c56698e6 B12 Caro-Kann Defense: Maróczy Variation
c574eb20 A57 Benko Gambit Declined: Bishop Attack
c5ba7e17 C64 Ruy Lopez: Classical Defense, Boden Variation
c5c74a70 C20 King's Pawn Game: Mengarini's Opening
c5dfefb7 B02 Alekhine Defense: Mokele Mbembe, Vavra Defense
c5fabb95 C11 French Defense: Classical Variation, Delayed Exchange Variation
c6259412 B45 Sicilian Defense: Taimanov Variation
c63a311b C25 Vienna Game: Paulsen Variation, Mariotti Gambit
c643f6e0 A00 Ware Opening: Wing Gambit
c6636ff4 B27 Pterodactyl Defense: Sicilian, Unpin
c67e5586 D92 Grünfeld Defense: Three Knights Variation, Hungarian Attack
c67f4c0b C02 French Defense: Advance Variation, Extended Bishop Swap
c683d9c6 A45 Trompowsky Attack: Poisoned Pawn Variation
c6a28a98 C67 Ruy Lopez: Berlin Defense, l'Hermet Variation
c6ac9577 A09 Réti Opening: Advance Variation, Michel Gambit
c6c9e3de C25 Vienna Game
c6d1d46e A00 Polish Opening
c72a18fd A82 Rat Defense: Balogh Defense
c72aa450 D02 London System: Poisoned Pawn Variation
c73c045d A84 Dutch Defense: Bladel Variation
c7542a4f C33 King's Gambit Accepted: Orsini Gambit
c773eef2 A57 Benko Gambit Declined: Hjørring Countergambit
c77dfcf6 B10 Caro-Kann Defense: Goldman Variation
c79cd5b5 B20 Sicilian Defense: Wing Gambit, Carlsbad Variation
c7b2b164 A46 Indian Defense: Knights Variation
c7e69707 C60 Ruy Lopez: Fianchetto Defense, Kevitz Gambit
c7f6d409 C45 Scotch Game: Classical Variation
c80905ac C41 Philidor Defense: Albin-Blackburne Gambit
c80af9dc A00 Van Geet Opening: Myers Attack
c8234c3a C23 Bishop's Opening: Lopez Gambit
c840fc99 A11 Réti Opening: Anglo-Slav Variation, Gurevich System
c84b0e62 C23 Bishop's Opening: McDonnell Gambit
c84b1579 A04 Zukertort Opening: Slav Invitation
c8b917b5 C23 Bishop's Opening: Calabrese Countergambit
c8cbad50 A53 Old Indian Defense: Janowski Variation, Fianchetto Variation
c8d7e6db D32 Queen's Gambit Declined: Tarrasch Defense
c8e1d467 C46 Three Knights Opening: Steinitz-Rosenthal Variation
c9163fa5 B01 Scandinavian Defense: Portuguese Gambit, Banker Variation
c94d2caa B05 Alekhine Defense: Modern Variation, Panov Variation
c966ed35 B29 Sicilian Defense: Nimzowitsch Variation
c972d603 D02 Queen's Pawn Game: London System, Pterodactyl Variation
c9cbd48f A02 Bird Opening: Hobbs-Zilbermints Gambit
ca05ad2d C65 Ruy Lopez: Berlin Defense, Anti-Berlin Variation, Mortimer Variation
ca06d521 A18 English Opening: Mikenas-Carls Variation
ca2c177f C50 Italian Game: Blackburne-Kostić Gambit
ca2fd641 C60 Ruy Lopez: Alapin Defense
ca8c5702 A45 Indian Defense: Gibbins-Weidenhagen Gambit
ca99e5bd A10 English Opening: Adorjan Defense
caa2f628 B54 Sicilian Defense: Modern Variations, Ginsberg Gambit
caa8990e C72 Ruy Lopez: Morphy Defense, Modern Steinitz Defense
cac4c64d D03 Queen's Pawn Game: Torre Attack
cadba898 A00 Ware Opening: Meadow Hay Trap
cb083148 B10 Caro-Kann Defense: St. Patrick's Attack
cb1cb267 E60 Indian Defense: Anti-Grünfeld, Alekhine Variation, Leko Gambit
cb5d96c5 C70 Ruy Lopez: Morphy Defense, Norwegian Variation
cb9a6346 E73 King's Indian Defense: Normal Variation, Standard Development
cba71537 D01 Richter-Veresov Attack: Two Knights System, Grünfeld Defense
cbf36567 B01 Scandinavian Defense: Anderssen Counterattack
cbf99ff1 A12 Réti Opening: Anglo-Slav Variation, Bogoljubow Variation
cbfdd35e C54 Italian Game: Classical Variation, Giuoco Pianissimo
cc100229 D13 Slav Defense: Exchange Variation
cc3d85a5 B15 Caro-Kann Defense: Gurgenidze Counterattack
cc59426a D09 Queen's Gambit Declined: Albin Countergambit, Fianchetto Variation, Bg4 Line
cc6433d2 D00 Blackmar-Diemer Gambit Accepted: Ziegler Defense
cc93af56 C33 King's Gambit Accepted: Bishop's Gambit, First Jaenisch Variation
ccd7f111 C32 King's Gambit Declined: Falkbeer Countergambit, Charousek Gambit, Keres Variation
ccf36e9f D24 Queen's Gambit Accepted: Bogoljubow Defense
ccf5bc57 E11 Bogo-Indian Defense: Retreat Variation
cd324352 C00 French Defense: Perseus Gambit
cd42f221 C60 Ruy Lopez: Lucena Variation
cd519d41 B00 Owen Defense
cd6f1be6 B00 Nimzowitsch Defense: Kennedy Variation, Keres Attack
cd7e52e5 C41 Philidor Defense
cd831cd7 A48 Torre Attack: Fianchetto Defense, Euwe Variation
cd8c9e35 A11 Réti Opening: Anglo-Slav Variation, Gurevich System
cd9f98aa B28 Sicilian Defense: O'Kelly Variation, Venice System
cda050a0 B03 Alekhine Defense
cda11e70 B02 Alekhine Defense: Krejcik Variation, Krejcik Gambit
cda3f30f D51 Queen's Gambit Declined: Manhattan Variation
cdbff82f B27 Sicilian Defense: Quinteros Variation
cde993c1 C15 French Defense: Winawer Variation
ce05cab2 D82 Grünfeld Defense: Brinckmann Attack
ce071469 C30 King's Gambit Declined: Queen's Knight Defense
ce41e882 C00 French Defense: Réti-Spielmann Attack
ce70b4d7 C40 King's Pawn Game: McConnell Defense
cebd2e75 B21 Sicilian Defense: Smith-Morra Gambit Accepted
ced738a4 A80 Dutch Defense: Alapin Variation
cf4305c2 E20 Nimzo-Indian Defense: Romanishin Variation
cf5d5b3b C50 Italian Game: Rousseau Gambit
cf604fed B00 St. George Defense: Polish Variation
cf7042d4 C41 Philidor Defense
cf769e28 C24 Bishop's Opening: Vienna Hybrid
cf775c5c C00 French Defense: Steinitz Attack
cf82dcf2 A00 Grob Opening: Double Grob, Coca-Cola Gambit
cf82f142 D00 Blackmar-Diemer Gambit Declined: Gedult Defense
cf9a2e8f C42 Petrov's Defense: Karklins-Martinovsky Variation
cf9dce78 C54 Italian Game: Classical Variation, Center Attack
cfcd70b3 A28 English Opening: King's English Variation, Four Knights Variation, Bradley Beach Variation
cfe51a8e D02 Queen's Pawn Game: London System
d0143904 A09 Réti Opening: Réti Accepted
d016326e A00 Global Opening
d032e395 A43 Benoni Defense: Old Benoni
d057fd02 C26 Vienna Game: Mieses Variation, Erben Gambit
d06cb1b6 A45 Trompowsky Attack: Raptor Variation
d0994c86 A43 Benoni Defense: Old Benoni
d0a2635a C41 Philidor Defense: Hanham Variation, Delmar Variation
d0a44ffc D94 Grünfeld Defense: Three Knights Variation, Burille Variation
d0bd5b4a A80 Dutch Defense: Barcza Variation
d0cb1976 C39 King's Gambit Accepted: Kieseritzky Gambit, Long Whip
d0e5b4ad B12 Caro-Kann Defense: De Bruycker Defense
d1234eed C50 Italian Game: Hungarian Defense
d149f4a1 C24 Bishop's Opening: Warsaw Gambit
d16d159c D31 Queen's Gambit Declined: Queen's Knight Variation
d18d64c1 C70 Ruy Lopez: Morphy Defense, Schliemann Defense Deferred
d1aeafd8 A45 Indian Defense: Pawn Push Variation
d1c0b036 B50 Sicilian Defense
d200828f E10 Indian Defense: Döry Indian
d21269e6 A01 Nimzo-Larsen Attack: Graz Attack
d21a7b77 B10 Caro-Kann Defense: Hillbilly Attack, Schaeffer Gambit
d233aa33 D45 Semi-Slav Defense: Normal Variation
d2734449 D32 Tarrasch Defense: Symmetrical Variation
d278be6a A80 Dutch Defense: Manhattan Gambit, Anti-Leningrad
d2a8c77f C44 Ponziani Opening: Caro Gambit
d2aad269 A00 Hungarian Opening: Van Kuijk Gambit
d2b1e6e0 C44 King's Pawn Game: Tayler Opening
d2b64e1d C60 Ruy Lopez: Fianchetto Defense
d2c458f3 E12 Queen's Indian Defense: Kasparov-Petrosian Variation, Marco Defense
d2c53f73 C42 Petrov's Defense
d2e0e4ab B54 Sicilian Defense: Modern Variations, Main Line
d3287acc E11 Bogo-Indian Defense: New England Variation
d35da887 C64 Ruy Lopez: Classical Variation
d366c100 C33 King's Gambit Accepted: Bishop's Gambit, Lopez Variation
d3ab142b A01 Nimzo-Larsen Attack: Modern Variation
d3bfe944 C80 Ruy Lopez: Open
d3c1877d A05 Zukertort Opening
d3d66dcf C21 Center Game: Halasz-McDonnell Gambit
d3e164d3 C41 Philidor Defense: Exchange Variation
d3f43625 C43 Petrov's Defense: Modern Attack, Center Variation
d4095cbd B56 Sicilian Defense: Classical Variation
d43fc31b A19 English Opening: Mikenas-Carls, Sicilian
d44b4c7b C23 Bishop's Opening: del Rio Variation
d454f748 A15 English Orangutan
d45f748e B00 Nimzowitsch Defense: Kennedy Variation, Linksspringer Variation
d461ad14 C39 King's Gambit Accepted: Kieseritzky Gambit, Berlin Defense
d4625691 A47 Indian Defense: Schnepper Gambit
d4787a34 C34 King's Gambit Accepted: Schallopp Defense
d486ec38 D06 Queen's Gambit Declined: Austrian Defense, Haberditz Variation
d4b71ad7 A00 Polish Opening, with d5
d4d9099c B50 Sicilian Defense: Kopec System
d4df979c C40 Elephant Gambit: Maróczy Gambit
d4e1d583 B06 Modern Defense: Norwegian Defense, Norwegian Gambit
d5146b1c A06 Zukertort Opening: Old Indian Attack
d53d20fd A07 King's Indian Attack: Yugoslav Variation
d5605a05 A07 King's Indian Attack, with Bf5
d5a6247a C07 French Defense: Tarrasch Variation, Open System, Euwe-Keres Line
d5db2caf C25 Vienna Game: Philidor Countergambit
d5f4b419 D25 Queen's Gambit Accepted: Normal Variation
d5f85af5 A07 King's Indian Attack: Keres Variation
d642b8e8 C64 Ruy Lopez: Classical Variation, Central Variation
d648ff2c A00 Clemenz Opening: Spike Lee Gambit
d672e520 B01 Scandinavian Defense: Richter Variation
d6b18ca9 D21 Queen's Gambit Accepted: Alekhine Defense, Borisenko-Furman Variation
d6cbbbd3 C13 French Defense: Classical Variation
d6e6c26c A00 Kádas Opening: Kádas Gambit
d73f3e95 A40 Englund Gambit: Stockholm Variation
d75cbad8 D00 Blackmar-Diemer Gambit Declined: Weinsbach Defense
d79b2a30 D32 Tarrasch Defense: Two Knights Variation
d7b9d176 C30 King's Gambit Declined: Classical Variation, Rotlewi Countergambit
d7e265e4 A13 English Opening: Agincourt Defense
d7f58716 A11 Réti Opening: Anglo-Slav Variation, Gurevich System
d827f8e5 B00 Nimzowitsch Defense: Neo-Mongoloid Defense
d83cd202 A04 Modern Defense: Semi-Averbakh Variation, Pterodactyl Variation Accepted
d856dece A80 Dutch Defense: Raphael Variation
d8add0d1 A04 Zukertort Opening: Basman Defense
d8c10b7f A80 Queen's Pawn Game: Veresov Attack, Dutch System
d8d3d208 C47 Four Knights Game: Gunsberg Variation
d8d7101b A40 Colle System: Pterodactyl Variation
d8e4c296 B23 Sicilian Defense: Grand Prix Attack
d9014e78 A06 Zukertort Opening: Santasiere's Folly
d92d2895 C23 Bishop's Opening: Khan Gambit
d932972d C30 King's Gambit Declined: Classical Variation
d9458d6c B44 Sicilian Defense: Taimanov Variation, Szén Variation
d9621b54 D06 Queen's Gambit Declined: Baltic Defense, Queen Attack Deferred
d97efcb1 E11 Bogo-Indian Defense: Wade-Smyslov Variation
d9a755fc D04 Queen's Pawn Game: Colle System
d9b68e56 A00 Ware Opening: Crab Variation
d9bb21f8 C20 King's Pawn Game: Napoleon Attack
d9d2057d B10 Caro-Kann Defense: Accelerated Panov Attack, Open Variation
da0d46a9 B28 Sicilian Defense: O'Kelly Variation
da2e5d2b B27 Sicilian Defense: Hyperaccelerated Dragon
da34ed06 B02 Alekhine Defense: Two Pawns Attack, Tate Variation
da3e1a36 C63 Ruy Lopez: Schliemann Defense, Dyckhoff Variation
da4ad6f7 A24 English Opening: King's English Variation, Two Knights Variation, Fianchetto Line
da61af96 B21 Sicilian Defense: McDonnell Attack, Toilet Variation
da65bbad E12 Queen's Indian Defense: Kasparov-Petrosian Variation, Andersson Variation
da6b569f A02 Bird Opening: Myers Defense
da7e3023 E35 Nimzo-Indian Defense: Classical Variation, Noa Variation
daa78a72 C00 French Defense: Horwitz Attack, Papa-Ticulat Gambit
dab3d0cf A84 Dutch Defense: Classical Variation
dafcc893 A21 English Opening: King's English Variation, Kramnik-Shirov Counterattack
db4cfb56 C26 Vienna Game: Mieses Variation
db5378cb B06 Modern Defense: Fianchetto Gambit
db5a22b4 D35 Queen's Gambit Declined: Harrwitz Attack
db6ebfa9 C25 Vienna Gambit, with Max Lange Defense: Steinitz Gambit
db9a6ce5 C17 French Defense: Winawer Variation, Advance Variation
dbae3368 B00 Rat Defense: Spike Attack
dbd63788 A02 Bird Opening: Batavo-Polish Attack
dc13e4e8 B00 Lion Defense: Lion's Jaw
dc22c375 D70 Neo-Grünfeld Defense: with Nf3
dcbb7806 A43 Benoni Defense: Cormorant Gambit
dcd55033 C11 French Defense: Steinitz Variation
dce92fb1 C23 Bishop's Opening: McDonnell Gambit, McDonnell Double Gambit
dcebb6c1 A46 Indian Defense: Czech-Indian
dd07d4e5 B50 Sicilian Defense: Modern Variations, Anti-Qxd4 Move Order
dd469a1b A40 Pterodactyl Defense: Fianchetto, Queen Pteranodon
dd731628 C00 French Defense: Orthoschnapp Gambit
ddf0b2fa C48 Four Knights Game: Spanish Variation
ddffcd95 B00 Nimzowitsch Defense: Williams Variation
de72a089 E15 Queen's Indian Defense: Fianchetto Variation, Nimzowitsch Variation
de7653f5 B03 Alekhine Defense: Four Pawns Attack, Fianchetto Variation
dea1ac7f A00 Van Geet Opening: Hulsemann Gambit
dea32c58 D10 Slav Defense
dea7dd45 B00 Goldsmith Defense: Picklepuss Defense
dee891d4 E00 Indian Defense: Seirawan Attack
deeac473 B32 Sicilian Defense: Franco-Sicilian Variation
deeedc37 B04 Alekhine Defense: Modern Variation, Alburt Variation
defa5c09 C40 King's Pawn Game: Damiano Defense
df35d7b3 D02 Queen's Pawn Game: Chandler Gambit
df5a3feb D31 Semi-Slav Defense: Noteboom Variation, Anti-Noteboom Gambit
df5ce400 A12 Réti Opening: Anglo-Slav Variation, with dxc4
dfbb226c C65 Ruy Lopez: Berlin Defense, Anti-Berlin Variation, Duras Variation
dfbf088a D20 Queen's Gambit Accepted: Central Variation, Alekhine System
dfc861e2 A82 Dutch Defense: Staunton Gambit Accepted
dfd59163 C33 King's Gambit Accepted: Bishop's Gambit, Boren-Svenonius Variation
dff752f2 A45 Queen's Pawn Game: Veresov, Richter Attack
dffceb3d C37 King's Gambit Accepted: Ghulam-Kassim Gambit
e00ccdf9 B00 Pirc Defense
e01fab60 C40 Latvian Gambit: Mlotkowski Variation
e0287c37 C40 Elephant Gambit
e033a4cc A10 English Opening: Achilles-Omega Gambit
e0419942 C36 King's Gambit Accepted: Modern Defense
e0510118 A45 Amazon Attack: Siberian Attack
e06a5d7a B01 Scandinavian Defense: Modern Variation, Wing Gambit
e07824c2 D25 Queen's Gambit Accepted: Janowski-Larsen Variation
e0952478 C05 French Defense: Tarrasch Variation, Pawn Center Variation
e09b2dc3 C51 Italian Game: Evans Gambit Declined
e0fb1906 C50 Italian Game
e0ff7af5 B28 Sicilian Defense: O'Kelly Variation, Normal System, Cortlever Gambit
e1038185 A42 Pterodactyl Defense
e1082f21 B20 Sicilian Defense: Czerniak Attack, Queen Fianchetto Variation
e117d749 C41 Philidor Defense: Morphy Gambit
e1577ea7 E01 Catalan Opening: Tarrasch Defense
e158b1b8 A05 Zukertort Opening: Quiet System
e19860c1 A04 Zukertort Opening: St. George Defense
e19a1915 C31 King's Gambit Declined: Falkbeer Countergambit
e1dc5b6e B08 Pirc Defense: Classical Variation
e1f9bfbb C33 King's Gambit Accepted: Stamma Gambit
e1fcc0f5 A53 Old Indian Defense: Czech Variation, with Nc3
e2418889 A04 Zukertort Opening: Black Mustang Defense
e281b2c1 C41 Philidor Defense: Nimzowitsch Variation
e291cc84 C25 Vienna Gambit, with Max Lange Defense: Steinitz Gambit, Fraser-Minckwitz Defense
e2bd174b C30 King's Gambit Declined: Zilbermints Double Gambit
e304d55b A08 Zukertort Opening: Reversed Grünfeld
e3939d37 D00 Queen's Pawn Game: Chigorin Variation, Anti-Veresov
e3a44e23 A02 Bird Opening: Siegener Gambit
e3beb046 C65 Ruy Lopez: Berlin Defense, Anti-Berlin Variation, Kaufmann Variation
e3c7627a A12 Réti Opening: Anglo-Slav Variation, Bogoljubow Variation
e3d2ccfd D83 Grünfeld Defense: Brinckmann Attack, Grünfeld Gambit
e3f21475 B01 Scandinavian Defense
e418c687 B20 Sicilian Defense: Kronberger Variation, Nemeth Gambit
e4386fbd C02 French Defense: Advance Variation
e4752161 A00 Polish Opening: Grigorian Variation
e48c19be C44 Scotch Game
e48f29b3 C31 King's Gambit Declined: Falkbeer Countergambit, Anderssen Attack
e4c81341 B12 Caro-Kann Defense: Edinburgh Variation
e4ec5f00 B06 Modern Defense: Bishop Attack
e50efed7 A40 Modern Defense: Beefeater Variation
e5244c29 B41 Sicilian Defense: Kan Variation, Maróczy Bind, Hedgehog Variation
e52ea0b6 A43 Benoni Defense: Zilbermints-Benoni Gambit
e5365977 D15 Slav Defense: Schlechter Variation
e536cb70 A13 English Opening: Agincourt Defense, Catalan Defense Accepted
e5534d23 B00 Van Geet Opening: Berlin Gambit
e5abcd8e C77 Ruy Lopez: Morphy Defense, Jaffe Gambit
e6066a97 B12 Caro-Kann Defense: De Bruycker Defense
e60b4ec9 E16 Queen's Indian Defense: Capablanca Variation
e61770ca E22 Nimzo-Indian Defense: Spielmann Variation
e63ea876 B27 Sicilian Defense: Double-Dutch Gambit
e6527c5b C00 French Defense
e6735ecd D00 Queen's Pawn Game: Chigorin Variation
e6d8b562 A25 English Opening: King's English Variation, Hungarian Attack
e6fc3352 C23 Bishop's Opening: Anderssen Gambit
e706510b D32 Tarrasch Defense: Schara Gambit
e708094f B52 Sicilian Defense: Moscow Variation, Main Line
e710ebaa C68 Ruy Lopez: Exchange Variation, Keres Variation
e744de2e D15 Slav Defense: Chebanenko Variation, Advance System
e76e97bb C43 Petrov's Defense: Modern Attack, Symmetrical Variation
e7766bf4 D81 Grünfeld Defense: Russian Variation, Accelerated Variation
e7994300 D30 Semi-Slav Defense: Quiet Variation
e7aa3d63 A07 King's Indian Attack, with Bf5
e7b88ed1 A00 Polish Opening: Outflank Variation
e7b9186a B17 Caro-Kann Defense: Karpov Variation, Modern Variation
e7cd7fde C00 French Defense: Steiner Variation
e7e0f5d7 A40 Colle System: Siroccopteryx Variation
e7eb1780 B01 Scandinavian Defense: Panov Transfer
e7f5933b B01 Scandinavian Defense: Classical Variation
e8013110 A50 Indian Defense: Normal Variation
e807dae6 C38 King's Gambit Accepted: Traditional Variation
e80fb620 A45 Indian Defense: Omega Gambit
e8438889 A35 English Opening: Symmetrical Variation
e8450c39 B32 Sicilian Defense: Accelerated Dragon
e8686d37 B01 Scandinavian Defense: Schiller-Pytel Variation
e88285d0 B02 Alekhine Defense: Spielmann Gambit
e88af8ae C65 Ruy Lopez: Berlin Defense, Anti-Berlin Variation, Mortimer Trap
e9131c07 E27 Nimzo-Indian Defense: Sämisch Variation
e9239f33 A37 English Opening: Symmetrical Variation, Botvinnik System Reversed, with Nf3
e929fd55 C69 Ruy Lopez: Exchange Variation, King's Bishop Variation
e963eec5 B06 Modern Defense
e96e09d0 C41 Philidor Defense: Nimzowitsch, Locock Variation
e9707e7a C20 King's Pawn Game: Tortoise Opening
e99b3274 C71 Ruy Lopez: Morphy Defense, Modern Steinitz Defense
e9a0cafc A28 English Opening: King's English Variation, Four Knights Variation, Flexible Line
e9aae22a C33 King's Gambit Accepted: Bishop's Gambit, Anderssen Defense
e9b2c83b C60 Ruy Lopez: Cozio Defense, Paulsen Variation
e9b3bf84 C01 French Defense: Exchange Variation
e9c9c609 C29 Vienna Game: Vienna Gambit, Main Line
e9d567c2 E20 Nimzo-Indian Defense: Dilworth Gambit
e9e79bc0 B00 Rat Defense: Harmonist
e9ed67ce D06 Queen's Gambit Declined: Marshall Defense, Tan Gambit
ea2da1da A81 Dutch Defense: Fianchetto Attack
ea6b5e71 A07 King's Indian Attack: Sicilian Variation
ea7233ef C38 King's Gambit Accepted: Philidor Gambit
ea91f203 B03 Alekhine Defense: Exchange Variation
ea92b469 B01 Scandinavian Defense: Portuguese Gambit, Classical Variation
eb0ab62f A86 Dutch Defense: Hort-Antoshin System
eb10b7c8 A30 English Opening: Symmetrical Variation
eb13cfab C68 Ruy Lopez: Exchange Variation
eb17e876 A21 English Opening: King's English Variation
eb1ec5d9 B22 Sicilian Defense: Delayed Alapin Variation
eb2b164c C41 Philidor Defense: Hanham Variation, Krause Variation
eb74e7fc A02 Bird Opening: Wagner-Zwitersch Gambit
eb8067bf C04 French Defense: Tarrasch Variation, Guimard Defense, Main Line
ebc1e7f6 C25 Vienna Game: Fyfe Gambit
ebcc02b2 D20 Queen's Gambit Accepted: Schwartz Defense
ebd5e791 D00 Blackmar-Diemer Gambit: Fritz Attack
ebfceed7 D07 Queen's Gambit Declined: Chigorin Defense, Exchange Variation
ec055673 B00 Borg Defense
ec1d07d8 C42 Petrov's Defense: Stafford Gambit Accepted
ec2176e3 D24 Queen's Gambit Accepted
ec29165e A06 Zukertort Opening: Tennison Gambit
ec44239a A40 English Defense: Hartlaub Gambit Declined
ec77b3ad E41 Nimzo-Indian Defense: Rubinstein System
ec88ab7e D03 Queen's Pawn Game: Torre Attack, Grünfeld Variation
ecc9dcb0 D00 Queen's Pawn Game: Accelerated London System, Steinitz Countergambit, Morris Countergambit Accepted
ed081874 B23 Sicilian Defense: Closed, Portland Attack
ed162e55 B02 Alekhine Defense: Mokele Mbembe
ed1fd808 B00 Nimzowitsch Defense: Kennedy Variation, Paulsen Attack
ed435500 A00 Van Geet Opening: Pfeiffer Gambit, Sleipnir Countergambit
ed885892 B20 Sicilian Defense: Staunton-Cochrane Variation
edb45524 D20 Queen's Gambit Accepted: Central Variation, McDonnell Defense, Somov Gambit
edb70f01 B06 Modern Defense: Bishop Attack, Bücker Gambit
edda63f5 A00 Grob Opening: Alessi Gambit
edfe0f4e A13 English Opening: Agincourt Defense, Wimpy System
ee0f7ef3 C00 French Defense: Franco-Hiva Gambit Accepted
ee12a184 A46 Torre Attack: Classical Defense
ee242cca C63 Ruy Lopez: Schliemann Defense, Schönemann Attack
ee371483 A80 Dutch Defense: Krejcik Gambit, Tate Gambit
ee63fa1a C50 Italian Game: Classical Variation, Albin Gambit
eeda0061 C60 Ruy Lopez: Brentano Gambit
eef09ae1 D02 Queen's Gambit Declined: Baltic Defense, Pseudo-Slav
eefa5c69 C40 King's Pawn Game: Gunderam Defense, Gunderam Gambit
eeffb1c9 A04 Modern Defense: Semi-Averbakh Variation, Pterodactyl Variation
ef2281f4 A82 Dutch Defense: Staunton Gambit
ef23b9e6 E70 King's Indian Defense: Normal Variation
ef358cd0 A00 Sodium Attack
ef374e15 C50 Four Knights Game: Italian Variation
ef3b5c4d C42 Petrov's Defense
ef50c232 D06 Queen's Gambit Declined: Austrian Defense, Gusev Countergambit
ef5365e5 A04 Zukertort Opening: Herrstrom Gambit
ef6d16a3 B20 Sicilian Defense: Wing Gambit, Marshall Variation
ef71199b C21 Center Game: Ross Gambit
ef7712cd C43 Petrov's Defense: Modern Attack, Steinitz Variation
ef9d2514 A41 Rat Defense: English Rat, Lisbon Gambit
ef9f07f3 D01 Richter-Veresov Attack: Veresov Variation
efb93b8b C02 French Defense: Advance Variation, Nimzowitsch Gambit
efba298d A13 English Opening: Neo-Catalan
eff3da78 D16 Slav Defense: Smyslov Variation
eff4749b E14 Queen's Indian Defense: Spassky System3
f01ae426 C56 Italian Game: Two Knights Defense, Open Variation
f02d2a14 C23 Bishop's Opening: Philidor Variation
f06e18ec B06 Modern Defense: Westermann Gambit
f085c5fc A11 Réti Opening: Anglo-Slav Variation, with g3
f0b1aaba D05 Queen's Pawn Game: Colle System
f0c032b1 C23 Bishop's Opening: Philidor Counterattack
f0e54b15 B07 Pirc Defense
f0f54acf B20 Sicilian Defense: Wing Gambit, Santasiere Variation
f0fddd26 C23 Bishop's Opening
f10366d1 A80 Dutch Defense: Omega-Isis Gambit
f10d9ea5 B00 Borg Defense: Zilbermints Gambit
f10ed260 D07 Queen's Gambit Declined: Chigorin Defense, Main Line, Alekhine Variation
f10f403c A00 Anderssen's Opening
f1189b5f C24 Bishop's Opening: Pachman Gambit
f11d546e B07 Pirc Defense: Bayonet Attack
f1299ed5 A02 Bird Opening: From's Gambit
f136f3a0 A52 Indian Defense: Budapest Gambit Accepted, Main Line
f13dee80 B32 Sicilian Defense: Open
f145d5ed C17 French Defense: Winawer Variation, Retreat Variation
f1635ab4 C21 Center Game Accepted
f1702679 C79 Ruy Lopez: Morphy Defense, Steinitz Deferred
f1c70c2c C25 Vienna Game: Stanley Variation, Meitner-Mieses Gambit
f1cee623 C47 Four Knights Game: Scotch Variation, Krause Gambit
f20c7302 C44 Ponziani Opening: Neumann Gambit
f2110fe1 C43 Bishop's Opening: Urusov Gambit
f23324a5 A13 English Opening: Agincourt Defense, Bogoljubow Defense
f27e29ce B32 Sicilian Defense: Open
f28cb929 C60 Ruy Lopez: Vinogradov Variation
f2cbc65f A40 Queen's Pawn Game: Anglo-Slav Opening
f2d0147d B00 Rat Defense: Antal Defense
f3210526 C42 Petrov's Defense: French Attack
f34149a0 D00 Blackmar-Diemer Gambit Accepted: Kaulich Defense
f34e8a20 A00 Van Geet Opening: Düsseldorf Gambit
f36a3627 C65 Ruy Lopez: Berlin Defense, Fishing Pole Variation
f37ce3d4 D50 Queen's Gambit Declined: Pseudo-Tarrasch Variation, Canal Variation
f3dd1f24 C00 French Defense: Banzai-Leong Gambit
f3e05418 C42 Petrov's Defense: Stafford Gambit Accepted
f3e38e60 B10 Caro-Kann Defense: Euwe Attack
f410950d B07 Lion Defense: Anti-Philidor, Lion's Cave
f416d2e3 D06 Queen's Gambit Declined: Baltic Defense, Argentinian Gambit
f450b7df C42 Petrov's Defense
f49683f2 C37 King's Gambit Accepted: Lolli Gambit
f51289a3 C78 Ruy Lopez: Morphy Defense, Møller Variation
f5450836 A45 Indian Defense: Tartakower Attack
f56ed468 C25 Vienna Gambit, with Max Lange Defense: Steinitz Gambit, Sörensen Defense
f590e787 A40 Kangaroo Defense
f5b78205 B10 Caro-Kann Defense: Dinic Gambit
f5cdd334 C41 Philidor Defense: Lion Variation, Shirov Gambit
f5ddb47f A00 Van Geet Opening: Liebig Gambit
f5de4ce9 A57 Benko Gambit Accepted: Modern Variation
f60212ac C11 French Defense: Classical Variation, Swiss Variation
f622f3ad A57 Benko Gambit Accepted: Dlugy Variation
f638e0f2 A10 English Opening: Anglo-Dutch Variation, Chabanon Gambit
f64a39c5 A10 English Opening: Anglo-Dutch Defense
f686fe33 E21 Nimzo-Indian Defense: Three Knights Variation, Shocron Gambit
f687f390 C03 French Defense: Tarrasch Variation
f69592d7 D21 Queen's Gambit Accepted: Normal Variation
f6972ac9 A04 Zukertort Opening: Speelsmet Gambit
f69a4507 B12 Caro-Kann Defense: Massachusetts Defense
f69e2af1 C51 Italian Game: Evans Gambit, Hein Countergambit
f6b30545 A40 Horwitz Defense: Zilbermints Gambit
f6d5d200 B02 Alekhine Defense: Sämisch Attack
f6de3587 A40 Mikenas Defense: Cannstatter Variation
f6e4dce3 C38 King's Gambit Accepted: Hanstein Gambit
f7007ab5 C61 Ruy Lopez: Bird Variation
f72a6684 C44 Scotch Game: Scotch Gambit, Dubois Réti Defense
f740cd2c C00 French Defense: Morphy Gambit
f74a18ac B36 Sicilian Defense: Accelerated Dragon, Maróczy Bind
f754e66b D06 Queen's Gambit Declined: Baltic Defense, Pseudo-Chigorin
f76479c1 E51 Nimzo-Indian Defense: Normal Variation, Ragozin Variation
f7cdf02b A00 Grob Opening: Double Grob
f7eea52b A51 Indian Defense: Budapest Gambit
f7f18f2f C54 Italian Game: Classical Variation, with d5
f83584e2 E90 King's Indian Defense: Normal Variation, Rare Defenses
f88339a4 B00 Nimzowitsch Defense: Scandinavian Variation, Exchange Variation, Marshall Gambit
f886938d B00 Nimzowitsch Defense: Kennedy Variation, Riemann Defense
f88d1dec A00 Van Geet Opening
f8954dab D07 Queen's Gambit Declined: Chigorin Defense, Tartakower Gambit
f89a50b4 A40 Englund Gambit: Felbecker Gambit
f8a47b03 C41 Philidor Defense
f8a8c763 A12 Réti Opening: Anglo-Slav Variation, New York System
f8ac6bd7 A35 English Opening: Symmetrical Variation, Four Knights Variation, Keres-Parma System
f8af768e C20 King's Pawn Game: MacLeod Attack
f8be991f B06 Pterodactyl Defense: Western, Siroccopteryx
f8c37ec8 B21 Sicilian Defense: Smith-Morra Gambit Declined, Scandinavian Formation
f8c7ed56 C50 Italian Game: Giuoco Pianissimo, Italian Four Knights Variation
f8c91ba6 B10 Caro-Kann Defense: Accelerated Panov Attack, Modern Variation
f8eee0a1 C33 King's Gambit Accepted: Carrera Gambit
f8f86cad C23 Bishop's Opening: Lewis Countergambit, Walker Variation
f9021d2d E46 Nimzo-Indian Defense: Normal Variation
f91fbd3f C10 French Defense: Rubinstein Variation, Blackburne Defense
f9418cbd C57 Italian Game: Two Knights Defense, Traxler Counterattack, Bishop Sacrifice Line
f95ebb33 C33 King's Gambit Accepted: Bishop's Gambit, Classical Defense, Cozio Attack
f97b09cd B33 Sicilian Defense: Lasker-Pelikan Variation
f97e045b E00 Catalan Opening: Hungarian Gambit
f99c7c37 A43 Benoni Defense: Woozle
f99d658a C31 King's Gambit Declined: Falkbeer Countergambit, Milner-Barry Variation
f9a338ba C11 French Defense: Classical Variation, Burn Variation
f9d5be1a C47 Four Knights Game: Scotch Variation
fa16cf80 B04 Alekhine Defense: Modern Variation
fa1ed0b7 B21 Sicilian Defense: Halasz Gambit
fa315978 C33 King's Gambit Accepted: Bishop's Gambit, Cozio Defense
fa4aa217 A00 Polish Opening: Schuehler Gambit
fa774d3b A43 Benoni Defense: Old Benoni
fa7f7146 C77 Ruy Lopez: Morphy Defense, Wormald Attack
fb091c69 B20 Sicilian Defense: Wing Gambit, Abrahams Variation
fb4848db C37 King's Gambit Accepted: Salvio Gambit
fb53fae1 C20 King's Pawn Game: Bavarian Gambit
fb6db435 B01 Scandinavian Defense: Mieses-Kotroc Variation
fb6e11e5 B01 Scandinavian Defense: Modern Variation
fb71e245 C20 King's Pawn Game: MacLeod Attack, Norwalde Gambit
fbb308fd A00 Creepy Crawly Formation: Classical Defense
fbbfeb8d A00 Grob Opening: London Defense
fbce93cf B01 Scandinavian Defense: Main Line, Mieses Variation
fbfddfcf B00 Owen Defense: Unicorn Variation
fc22f921 C33 King's Gambit Accepted: Bishop's Gambit, Paulsen Attack
fc23136f D00 Queen's Pawn Game: Chigorin Variation, Fianchetto Defense
fc4c75a3 A17 English Opening: Anglo-Indian Defense, Queen's Indian Formation
fc75fe47 B01 Van Geet Opening: Grünfeld Defense
fc770a7a A40 Englund Gambit: Soller Gambit
fc89229d A57 Benko Gambit
fca4be67 C41 Philidor Defense: Larsen Variation
fcbc2622 B03 Alekhine Defense: Four Pawns Attack
fcc21643 B10 Caro-Kann Defense: Accelerated Panov Attack
fcc3cebe C31 King's Gambit Declined: Falkbeer Countergambit, Hinrichsen Gambit
fd1362f3 C47 Four Knights Game: Scotch Variation, Oxford Gambit
fd455036 C40 Latvian Gambit: Diepstraten Countergambit
fd94706c A00 Mieses Opening: Venezolana Variation
fda75ca0 B28 Sicilian Defense: O'Kelly Variation, Réti System
fdaa0970 B06 Pterodactyl Defense: Central, Quetzalcoatlus Gambit
fdaa5b1d B28 Sicilian Defense: O'Kelly Variation, Maróczy Bind, Paulsen Line
fdb69910 C55 Italian Game: Two Knights Defense, Modern Bishop's Opening
fdd7f891 C37 King's Gambit Accepted: McDonnell Gambit
fdf5aa43 B30 Sicilian Defense: Closed, Anti-Sveshnikov Variation
fdfac092 A10 English Opening: Anglo-Scandinavian Defense, Schulz Gambit
fe03face C40 Latvian Gambit Accepted: Foltys Variation
fe8072fd D35 Queen's Gambit Declined: Exchange Variation
fea5e6be C35 King's Gambit Accepted: Cunningham Defense, McCormick Defense
feb49cfc C34 King's Gambit Accepted: Fischer Defense
feb75615 A29 English Opening: King's English Variation, Four Knights Variation, Fianchetto Line
fedcd746 A12 Réti Opening: Anglo-Slav Variation, Bogoljubow Variation
fef00de3 A09 Réti Opening: Zilbermints Gambit
fef9029d C26 Vienna Game: Stanley Variation, Reversed Spanish
fefe8fc2 C00 French Defense: La Bourdonnais Variation
ff05a366 E46 Nimzo-Indian Defense: Reshevsky Variation
ff333391 B12 Caro-Kann Defense: Masi Variation
ff46708a A00 Van Geet Opening: Twyble Attack
ff99c5d4 D11 Slav Defense: Bonet Gambit
ffa8b032 C15 French Defense: Winawer Variation, Fingerslip Variation, Schwarz's Line
ffa8faf8 A28 English Opening: King's English Variation, Four Knights Variation, Quiet Line
ffff46c8 B02 Alekhine Defense: Kmoch Variation`;
