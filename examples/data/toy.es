Me gusta mi coche rojo.
Quiero comprar un coche nuevo.
Vivo en una casa pequeña con jardín.
Me encantan las flores blancas del jardín.
La veo todos los días.
Llamo a mi madre todas las noches.
Leo un libro interesante todas las noches.
No me gusta el café frío.
Bebo café caliente en la cocina.
Hoy no tengo tiempo para un café.
Voy al mercado con mi hermana.
Vengo del mercado con pan fresco.
Se lo doy a mi hermana.
Tengo dos perros pequeños y un gato negro.
¿Dónde están mis zapatos negros?
¿Puedo ver la camisa azul, por favor?
Trabajo cerca del puente viejo.
Lo espero en la estación.
Hoy me duele la cabeza.
Tengo hambre, pero no estoy cansado.
